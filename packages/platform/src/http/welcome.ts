import type { Platform } from '../platform.ts'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
}

/** `GET /`: describes the service to browsers and curl, without a key. @param accept the request's Accept header */
export function createWelcomeResponse(platform: Platform, accept: string): Response {
  const base = platform.baseUrl()
  const about = {
    name: 'Linnet local mail platform',
    description: 'A mail platform for this machine: mail comes in by SMTP, the HTTP interface is at the base URL.',
    base_url: base,
    openapi: `${base}/openapi.json`,
    documentation: 'service.md',
    api_key: platform.settings.anyKey
      ? 'Any key is accepted (--any-key): Authorization: Bearer re_anything'
      : 'The first line that the service prints holds it. Send it as Authorization: Bearer KEY, with a User-Agent.',
  }
  if (!accept.includes('text/html')) return Response.json(about)
  return new Response(page(about), { headers: pageHeaders })
}

function page(
  about: Readonly<Record<'name' | 'description' | 'base_url' | 'openapi' | 'documentation' | 'api_key', string>>,
): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${about.name}</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 42rem; padding: 0 1rem }
  dt { font-weight: 600; margin-top: 0.75rem }
  dd { margin: 0 }
</style>
<h1>${about.name}</h1>
<p>${about.description}</p>
<dl>
  <dt>Base URL</dt><dd><code>${about.base_url}</code></dd>
  <dt>Key</dt><dd>${about.api_key}</dd>
  <dt>Every endpoint</dt><dd><a href="${about.openapi}">openapi.json</a></dd>
  <dt>How to use it</dt><dd><code>${about.documentation}</code> of the project</dd>
</dl>
</html>
`
}
