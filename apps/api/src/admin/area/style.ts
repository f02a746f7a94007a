/** The style sheet of the operator's area. Colours have a contrast of at least 4.5:1 on their background. */
export const style = `
:root{color-scheme:light dark;--text:light-dark(#1b1f24,#e6e8eb);--soft:light-dark(#545c66,#a4adb8);
--page:light-dark(#fff,#15181c);--panel:light-dark(#f4f5f7,#1e2227);--line:light-dark(#c9ced5,#3a414a);
--link:light-dark(#0b57b0,#8ab8ff);--good:light-dark(#146c2e,#7fd894);--bad:light-dark(#a3001f,#ff9aa6);
--busy:light-dark(#7a4b00,#f2c46d)}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100vw}
.skip:focus{left:.5rem;top:.5rem;background:var(--page);padding:.5rem;z-index:1}
header{background:var(--panel);border-bottom:1px solid var(--line);padding:.5rem 1rem}
header ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0}
header a{display:inline-block;padding:.25rem 0}
header a[aria-current]{color:var(--text);font-weight:600;text-decoration:none;border-bottom:3px solid var(--link)}
main{padding:1rem;max-width:90rem;margin:0 auto}
main.narrow{max-width:28rem;margin-top:10vh}
h1{font-size:1.5rem;margin:.25rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
form.filter{display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.5rem 1rem;align-items:end;
background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.75rem;margin-bottom:1rem}
form.inline{display:inline-block;margin:0 .5rem .5rem 0}
label{display:block;font-size:.9rem}
input,select,button,.button{font:inherit;color:inherit;background:var(--page);border:1px solid var(--soft);
border-radius:.3rem;padding:.35rem .6rem;max-width:100%}
form.filter input,form.filter select,main.narrow input,main.narrow button{width:100%}
button,.button{cursor:pointer;display:inline-block;text-decoration:none;background:var(--panel)}
button.main{background:light-dark(#0b57b0,#8ab8ff);color:light-dark(#fff,#15181c);border-color:transparent}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:.5rem .6rem;color:var(--soft)}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-top:1px solid var(--line)}
th{white-space:nowrap}
td{overflow-wrap:anywhere;min-width:6rem}
td.number,th.number{text-align:right;min-width:0}
time{white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;margin:0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere;min-width:0}
pre{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.6rem;margin:0;
overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
progress{width:min(20rem,100%);vertical-align:middle}
.state{font-weight:600}
.good{color:var(--good)}.bad{color:var(--bad)}.busy{color:var(--busy)}.soft{color:var(--soft)}
.note{border-left:4px solid var(--link);background:var(--panel);padding:.5rem .75rem;margin:0 0 1rem}
.note.problem{border-color:var(--bad)}
@media(max-width:40rem){main{padding:.75rem}dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}}
`;
