/**
 * Returns the page of a video shown in an iframe; undefined for any other frame, whose content is not part of
 * the text.
 */
export function embedUrl(source: string | undefined): string | undefined {
  const url = source === undefined ? undefined : URL.parse(source, 'https://archive.invalid/');
  if (!url) return undefined;
  const youtube = /^(?:www\.)?youtube(?:-nocookie)?\.com$/.test(url.hostname)
    ? /^\/embed\/([\w-]{5,20})$/.exec(url.pathname)?.[1]
    : undefined;
  if (youtube) return `https://www.youtube.com/watch?v=${youtube}`;
  const vimeo =
    url.hostname === 'player.vimeo.com' ? /^\/video\/(\d{4,12})$/.exec(url.pathname)?.[1] : undefined;
  return vimeo && `https://vimeo.com/${vimeo}`;
}
