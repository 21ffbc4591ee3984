/** Both hosts' page. A mail's frame adds a stricter one: what a sanitiser misses still cannot load, run or send. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Svelte's transitions and the mail's own inline styles; a style cannot fetch, as every source of it is closed.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  // For installing the page as an app.
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

/** Headers of every answer with the window's own files. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // A browser that predicts would look up the hosts of a mail's links: pointing at one would tell its sender.
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
}
