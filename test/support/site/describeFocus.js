// Runs in a page: describes the element with the focus, and why a reader would not see that it has the focus.
(() => {
  /** Of the outline: its width in pixels, and its contrast to what is around it (WCAG 2.4.13 and 1.4.11). */
  const least = { width: 2, contrast: 3 };

  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const isClear = (color) => color === 'transparent' || channels(color)[3] === 0;
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrastOf = (one, other) => {
    const [dark, bright] = [luminance(one), luminance(other)].sort((left, right) => left - right);
    return (bright + 0.05) / (dark + 0.05);
  };
  /** The colour that a reader sees at a place. */
  const groundAt = ([x, y]) => {
    const colors = document.elementsFromPoint(x, y).map((at) => getComputedStyle(at).backgroundColor);
    return colors.find((color) => !isClear(color)) ?? 'rgb(255, 255, 255)';
  };

  const element = document.activeElement;
  if (!element || element === document.body || element === document.documentElement) return undefined;
  const problems = [];
  const style = getComputedStyle(element);
  const width = style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth);
  const offset = Number.parseFloat(style.outlineOffset);
  if (width < least.width) problems.push(`its outline is ${width} pixels wide`);

  // A link in several lines has a box for each.
  const [box = element.getBoundingClientRect()] = element.getClientRects();
  const [middle, inside] = [box.left + box.width / 2, box.top + Math.min(box.height, 20) / 2];
  const sides = [
    [box.left - offset - width / 2, inside],
    [box.right + offset + width / 2, inside],
    [middle, box.top - offset - width / 2],
  ].filter(([x, y]) => x >= 0 && x < innerWidth && y >= 0 && y < innerHeight);
  for (const ground of new Set(sides.map(groundAt))) {
    const contrast = contrastOf(style.outlineColor, ground);
    if (contrast < least.contrast)
      problems.push(
        `the contrast of its outline is ${contrast.toFixed(1)}: ${style.outlineColor} on ${ground}`,
      );
  }
  if (sides.length === 0) problems.push('it is not in the window');
  const [top] = document.elementsFromPoint(middle, inside);
  if (!top || !(element.contains(top) || top.contains(element)))
    problems.push(`it is covered by ${top?.outerHTML.slice(0, 60)}`);

  const around = { x: width + offset, y: width + offset };
  const whole = element.getBoundingClientRect();
  for (let parent = element.parentElement; parent !== document.body; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent);
    const frame = parent.getBoundingClientRect();
    const isCutAtSide = whole.left - around.x < frame.left || whole.right + around.x > frame.right;
    const isCutAtEnd = whole.top - around.y < frame.top || whole.bottom + around.y > frame.bottom;
    if ((overflowX !== 'visible' && isCutAtSide) || (overflowY !== 'visible' && isCutAtEnd))
      problems.push(`its outline is cut by ${parent.outerHTML.slice(0, 60)}`);
  }

  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  const name = label.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  return { name, problems, at: [...document.querySelectorAll('*')].indexOf(element) };
})();
