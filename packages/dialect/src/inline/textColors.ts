/** Colours of text and of what is behind it. */
export const textColors = [
  ...(['default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan'] as const),
  ...(['$primary', '$info', '$success', '$warning', '$danger', '$tint'] as const),
];
