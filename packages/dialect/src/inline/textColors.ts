/** The colours of text and of its background. */
export const textColors = [
  ...(['default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan'] as const),
  ...(['$primary', '$info', '$success', '$warning', '$danger', '$tint'] as const),
];
