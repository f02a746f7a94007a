/**
 * Layers that each keep every request from the network, whatever the page asks for: interception cannot see
 * all, such as prefetches. No name resolves, and all that needs none goes to a proxy where nothing listens.
 */
export const networkFlags = {
  resolver: ['--host-resolver-rules=MAP * ~NOTFOUND'],
  // Port 9 is discard; without the bypass rule, loopback would not use the proxy.
  proxy: ['--proxy-server=127.0.0.1:9', '--proxy-bypass-list=<-loopback>'],
};

/** Never `--no-sandbox`: a renderer runs without rights in namespaces of its own. */
export const chromiumFlags: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  ...networkFlags.resolver,
  ...networkFlags.proxy,
  // Each of these would ask for something, or run something, that no book needs.
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-gpu',
  '--disable-sync',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--password-store=basic',
  '--use-mock-keychain',
  // A timer of a page that nobody sees would wait.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  // Containers have little shared memory; the profile's temporary folder serves instead.
  '--disable-dev-shm-usage',
  // Lines break where they do on paper, on every machine.
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];
