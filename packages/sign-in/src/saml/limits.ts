/** Length of a response in base64: providers send a few kilobytes. */
export const maxResponseLength = 256 * 1024;
