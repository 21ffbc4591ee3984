/** The two small pages through which a browser gets from a ticket to the window. */

/** Where the page keeps its half of what opens the mail; `renderer/browser-transport.ts` reads it. */
const WINDOW_KEY_ITEM = 'linnet-window-key'

/**
 * Posts the ticket, so that no process list or history has it.
 * @param origin digits and dots @param ticket base64url: neither needs escaping
 */
export const openingPage = (origin: string, ticket: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <title>Linnet</title>
  </head>
  <body>
    <form method="post" action="${origin}/open">
      <input type="hidden" name="token" value="${ticket}" />
      <button>Open Linnet</button>
    </form>
    <script>document.forms[0].submit()</script>
  </body>
</html>
`

/** Moves on by script: a redirect would still be cross-site and lack the cookie. @param windowKey base64url */
export const admittedPage = (windowKey: string, nonce: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Linnet</title>
    <script nonce="${nonce}">
      localStorage.setItem('${WINDOW_KEY_ITEM}', '${windowKey}')
      location.replace('/')
    </script>
  </head>
  <body>
    <noscript>Linnet needs JavaScript, which is off here.</noscript>
  </body>
</html>
`
