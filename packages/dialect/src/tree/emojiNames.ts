/** The most common names of emoji, each followed by its characters. */
export const emojiNames = `
smile 😄 smiley 😃 grinning 😀 grin 😁 laughing 😆 satisfied 😆 sweat_smile 😅 rofl 🤣 joy 😂 slightly_smiling_face 🙂 upside_down_face 🙃
wink 😉 blush 😊 innocent 😇 heart_eyes 😍 star_struck 🤩 kissing_heart 😘 yum 😋 stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜
zany_face 🤪 money_mouth_face 🤑 hugs 🤗 hugging 🤗 thinking 🤔 thinking_face 🤔 shushing_face 🤫 zipper_mouth_face 🤐 neutral_face 😐
expressionless 😑 no_mouth 😶 smirk 😏 unamused 😒 roll_eyes 🙄 grimacing 😬 relieved 😌 pensive 😔 sleepy 😪 sleeping 😴 mask 😷
nerd_face 🤓 sunglasses 😎 partying_face 🥳 confused 😕 worried 😟 frowning 😦 open_mouth 😮 hushed 😯 astonished 😲 flushed 😳
pleading_face 🥺 fearful 😨 cold_sweat 😰 cry 😢 sob 😭 scream 😱 disappointed 😞 sweat 😓 weary 😩 tired_face 😫 triumph 😤 rage 😡
angry 😠 smiling_imp 😈 imp 👿 skull 💀 poop 💩 clown_face 🤡 ghost 👻 alien 👽 robot 🤖 space_invader 👾 exploding_head 🤯 cowboy_hat_face 🤠
wave 👋 raised_back_of_hand 🤚 raised_hand ✋ hand ✋ vulcan_salute 🖖 ok_hand 👌 v ✌️ crossed_fingers 🤞 metal 🤘 call_me_hand 🤙
point_left 👈 point_right 👉 point_up_2 👆 point_down 👇 point_up ☝️ +1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 fist ✊ facepunch 👊 punch 👊
clap 👏 raised_hands 🙌 open_hands 👐 handshake 🤝 pray 🙏 writing_hand ✍️ muscle 💪 eyes 👀 eye 👁️ brain 🧠 ear 👂 nose 👃 tongue 👅
baby 👶 boy 👦 girl 👧 man 👨 woman 👩 detective 🕵️ construction_worker 👷 guard 💂 santa 🎅 superhero 🦸 mage 🧙 zombie 🧟 runner 🏃 walking 🚶
technologist 🧑‍💻 man_technologist 👨‍💻 woman_technologist 👩‍💻 astronaut 🧑‍🚀 scientist 🧑‍🔬 teacher 🧑‍🏫 cook 🧑‍🍳 mechanic 🧑‍🔧
bust_in_silhouette 👤 busts_in_silhouette 👥 speaking_head 🗣️ footprints 👣 family 👪 person_raising_hand 🙋 shrug 🤷 facepalm 🤦
heart ❤️ orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙 purple_heart 💜 black_heart 🖤 white_heart 🤍 broken_heart 💔
two_hearts 💕 sparkling_heart 💖 heartpulse 💗 100 💯 anger 💢 boom 💥 collision 💥 dizzy 💫 sweat_drops 💦 dash 💨 zzz 💤
speech_balloon 💬 thought_balloon 💭 left_speech_bubble 🗨️ right_anger_bubble 🗯️
dog 🐶 cat 🐱 mouse 🐭 rabbit 🐰 fox_face 🦊 bear 🐻 panda_face 🐼 tiger 🐯 lion 🦁 cow 🐮 pig 🐷 frog 🐸 monkey 🐒 monkey_face 🐵
see_no_evil 🙈 hear_no_evil 🙉 speak_no_evil 🙊 chicken 🐔 penguin 🐧 bird 🐦 eagle 🦅 owl 🦉 bee 🐝 honeybee 🐝 bug 🐛 butterfly 🦋 snail 🐌 ant 🐜
beetle 🐞 spider 🕷️ turtle 🐢 snake 🐍 octopus 🐙 crab 🦀 fish 🐟 dolphin 🐬 whale 🐳 shark 🦈 elephant 🐘 camel 🐫 unicorn 🦄 dragon 🐉 horse 🐴
paw_prints 🐾 feet 🐾 cactus 🌵 christmas_tree 🎄 evergreen_tree 🌲 deciduous_tree 🌳 palm_tree 🌴 seedling 🌱 herb 🌿 four_leaf_clover 🍀
bouquet 💐 rose 🌹 sunflower 🌻 tulip 🌷 mushroom 🍄 earth_africa 🌍 earth_americas 🌎 earth_asia 🌏 globe_with_meridians 🌐
full_moon 🌕 crescent_moon 🌙 sunny ☀️ sun_with_face 🌞 star ⭐ star2 🌟 sparkles ✨ zap ⚡ fire 🔥 rainbow 🌈 cloud ☁️ partly_sunny ⛅
snowflake ❄️ snowman ⛄ umbrella ☔ droplet 💧 ocean 🌊 comet ☄️ tornado 🌪️
apple 🍎 green_apple 🍏 banana 🍌 grapes 🍇 strawberry 🍓 cherries 🍒 lemon 🍋 pizza 🍕 hamburger 🍔 coffee ☕ tea 🍵 beer 🍺 beers 🍻
wine_glass 🍷 cocktail 🍸 tropical_drink 🍹 birthday 🎂 cake 🍰 cookie 🍪 doughnut 🍩 popcorn 🍿 avocado 🥑 bread 🍞 cheese 🧀 egg 🥚 salt 🧂
soccer ⚽ basketball 🏀 football 🏈 tennis 🎾 trophy 🏆 medal_sports 🏅 1st_place_medal 🥇 2nd_place_medal 🥈 3rd_place_medal 🥉 dart 🎯
game_die 🎲 video_game 🎮 joystick 🕹️ jigsaw 🧩 art 🎨 performing_arts 🎭 musical_note 🎵 notes 🎶 headphones 🎧 microphone 🎤 guitar 🎸
movie_camera 🎥 clapper 🎬 tv 📺 camera 📷 video_camera 📹 ticket 🎫 balloon 🎈 tada 🎉 confetti_ball 🎊 gift 🎁 ribbon 🎀 crystal_ball 🔮
rocket 🚀 airplane ✈️ helicopter 🚁 flying_saucer 🛸 satellite 🛰️ artificial_satellite 🛰️ car 🚗 red_car 🚗 taxi 🚕 bus 🚌 truck 🚚 tractor 🚜 bike 🚲
train 🚋 ship 🚢 boat ⛵ sailboat ⛵ anchor ⚓ fuelpump ⛽ construction 🚧 traffic_light 🚥 vertical_traffic_light 🚦 rotating_light 🚨 stop_sign 🛑
world_map 🗺️ mountain ⛰️ volcano 🌋 camping 🏕️ house 🏠 house_with_garden 🏡 building_construction 🏗️ office 🏢 hospital 🏥 bank 🏦 school 🏫
factory 🏭 classical_building 🏛️ stadium 🏟️ tent ⛺ bridge_at_night 🌉 city_sunset 🌆
watch ⌚ iphone 📱 calling 📲 computer 💻 desktop_computer 🖥️ printer 🖨️ keyboard ⌨️ computer_mouse 🖱️ minidisc 💽 floppy_disk 💾 cd 💿 dvd 📀
battery 🔋 electric_plug 🔌 bulb 💡 flashlight 🔦 candle 🕯️ fire_extinguisher 🧯 moneybag 💰 dollar 💵 euro 💶 credit_card 💳 gem 💎 coin 🪙 receipt 🧾
balance_scale ⚖️ wrench 🔧 hammer 🔨 hammer_and_wrench 🛠️ tools 🛠️ pick ⛏️ gear ⚙️ toolbox 🧰 magnet 🧲 nut_and_bolt 🔩 link 🔗 chains ⛓️
gun 🔫 bomb 💣 knife 🔪 shield 🛡️ crossed_swords ⚔️ key 🔑 old_key 🗝️ lock 🔒 unlock 🔓 closed_lock_with_key 🔐 lock_with_ink_pen 🔏 door 🚪
bell 🔔 no_bell 🔕 mega 📣 loudspeaker 📢 hourglass ⌛ hourglass_flowing_sand ⏳ alarm_clock ⏰ stopwatch ⏱️ timer_clock ⏲️ clock1 🕐 clock3 🕒
calendar 📆 date 📅 spiral_calendar 🗓️ card_index 📇 chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 bar_chart 📊 clipboard 📋
pushpin 📌 round_pushpin 📍 paperclip 📎 paperclips 🖇️ straight_ruler 📏 triangular_ruler 📐 scissors ✂️ card_file_box 🗃️ file_cabinet 🗄️
wastebasket 🗑️ file_folder 📁 open_file_folder 📂 dividers 🗂️ card_index_dividers 🗂️ newspaper 📰 notebook 📓 book 📖 open_book 📖 books 📚
closed_book 📕 green_book 📗 blue_book 📘 orange_book 📙 bookmark 🔖 bookmark_tabs 📑 label 🏷️ memo 📝 pencil 📝 pencil2 ✏️ black_nib ✒️ pen 🖊️
paintbrush 🖌️ crayon 🖍️ page_facing_up 📄 page_with_curl 📃 scroll 📜 ledger 📒 email 📧 e-mail 📧 envelope ✉️ incoming_envelope 📨
envelope_with_arrow 📩 outbox_tray 📤 inbox_tray 📥 package 📦 mailbox 📫 postbox 📮 ballot_box 🗳️ mag 🔍 mag_right 🔎 microscope 🔬 telescope 🔭
test_tube 🧪 petri_dish 🧫 dna 🧬 alembic ⚗️ pill 💊 syringe 💉 thermometer 🌡️ broom 🧹 basket 🧺 shopping_cart 🛒 gift_heart 💝 teddy_bear 🧸
telephone ☎️ telephone_receiver 📞 pager 📟 fax 📠 radio 📻 vhs 📼 film_strip 🎞️ projector 📽️ framed_picture 🖼️ satellite_antenna 📡
recycle ♻️ white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ negative_squared_cross_mark ❎ heavy_multiplication_x ✖️
heavy_plus_sign ➕ heavy_minus_sign ➖ heavy_division_sign ➗ question ❓ grey_question ❔ exclamation ❗ heavy_exclamation_mark ❗ grey_exclamation ❕
bangbang ‼️ interrobang ⁉️ warning ⚠️ no_entry ⛔ no_entry_sign 🚫 radioactive ☢️ biohazard ☣️ information_source ℹ️ o ⭕ infinity ♾️
arrow_up ⬆️ arrow_down ⬇️ arrow_left ⬅️ arrow_right ➡️ arrow_upper_right ↗️ arrow_lower_right ↘️ arrow_lower_left ↙️ arrow_upper_left ↖️
arrow_up_down ↕️ left_right_arrow ↔️ arrow_forward ▶️ arrow_backward ◀️ fast_forward ⏩ rewind ⏪ arrow_up_small 🔼 arrow_down_small 🔽
leftwards_arrow_with_hook ↩️ arrow_right_hook ↪️ arrow_heading_up ⤴️ arrow_heading_down ⤵️ arrows_counterclockwise 🔄 arrows_clockwise 🔃 repeat 🔁
twisted_rightwards_arrows 🔀 back 🔙 end 🔚 on 🔛 soon 🔜 top 🔝 new 🆕 free 🆓 up 🆙 cool 🆒 ok 🆗 sos 🆘 id 🆔 vs 🆚 ng 🆖 abc 🔤 abcd 🔡 1234 🔢
symbols 🔣 zero 0️⃣ one 1️⃣ two 2️⃣ three 3️⃣ four 4️⃣ five 5️⃣ six 6️⃣ seven 7️⃣ eight 8️⃣ nine 9️⃣ keycap_ten 🔟 hash #️⃣ asterisk *️⃣
red_circle 🔴 orange_circle 🟠 yellow_circle 🟡 green_circle 🟢 large_blue_circle 🔵 blue_circle 🔵 purple_circle 🟣 black_circle ⚫ white_circle ⚪
red_square 🟥 green_square 🟩 blue_square 🟦 yellow_square 🟨 black_large_square ⬛ white_large_square ⬜ small_blue_diamond 🔹 small_orange_diamond 🔸
large_blue_diamond 🔷 large_orange_diamond 🔶 radio_button 🔘 checkered_flag 🏁 triangular_flag_on_post 🚩 white_flag 🏳️ rainbow_flag 🏳️‍🌈 black_flag 🏴
us 🇺🇸 gb 🇬🇧 uk 🇬🇧 fr 🇫🇷 de 🇩🇪 es 🇪🇸 it 🇮🇹 jp 🇯🇵 cn 🇨🇳 kr 🇰🇷 ru 🇷🇺 in 🇮🇳 br 🇧🇷 ca 🇨🇦 eu 🇪🇺 nl 🇳🇱 pt 🇵🇹 pl 🇵🇱 se 🇸🇪 ch 🇨🇭 at 🇦🇹 ua 🇺🇦
copyright ©️ registered ®️ tm ™️ currency_exchange 💱 heavy_dollar_sign 💲 mobile_phone_off 📴 vibration_mode 📳 wheelchair ♿ parking 🅿️
`;
