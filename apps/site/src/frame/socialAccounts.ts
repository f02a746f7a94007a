import { isWebTarget, type SiteCustomization } from '@bindery/contract';

type Account = SiteCustomization['socialAccounts'][number];

/** The name of each platform, and its address up to the handle. */
const platforms: Readonly<Record<Account['platform'], readonly [name: string, address: string]>> = {
  twitter: ['X', 'https://x.com/'],
  instagram: ['Instagram', 'https://www.instagram.com/'],
  facebook: ['Facebook', 'https://www.facebook.com/'],
  linkedin: ['LinkedIn', 'https://www.linkedin.com/'],
  github: ['GitHub', 'https://github.com/'],
  discord: ['Discord', 'https://discord.gg/'],
  slack: ['Slack', 'https://slack.com/'],
  youtube: ['YouTube', 'https://www.youtube.com/'],
  tiktok: ['TikTok', 'https://www.tiktok.com/@'],
  reddit: ['Reddit', 'https://www.reddit.com/'],
  bluesky: ['Bluesky', 'https://bsky.app/profile/'],
  mastodon: ['Mastodon', 'https://mastodon.social/@'],
  threads: ['Threads', 'https://www.threads.net/@'],
  medium: ['Medium', 'https://medium.com/@'],
};

/** The accounts that a customization shows in the header or the footer. A handle may be a whole address. */
export function accountsIn(
  part: keyof Account['display'],
  { socialAccounts }: SiteCustomization,
): { title: string; href: string }[] {
  return socialAccounts
    .filter(({ display }) => display[part])
    .map(({ platform, handle }) => {
      const [title, address] = platforms[platform];
      if (isWebTarget(handle)) return { title, href: handle };
      const isGiven = address.endsWith('@');
      const path = handle.split('/').map(encodeURIComponent).join('/');
      return { title, href: address + (isGiven ? path.replace(/^%40/, '') : path.replace(/^%40/, '@')) };
    });
}
