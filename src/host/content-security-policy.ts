/** The page policy of both hosts. Mail frames add a stricter one, in case a sanitiser misses something. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // For Svelte's transitions and inline styles in mail. Styles can't fetch anything, because every source is closed.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  // Needed to install the page as an app.
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // DNS prefetch would resolve the hosts of links in mail, so that hovering over one would reveal it to the sender.
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
}
