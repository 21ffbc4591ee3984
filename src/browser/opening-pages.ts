/** The two small pages through which a browser gets from a ticket to the window. */

/** Where the page keeps its half of what opens the mail; `renderer/browser-transport.ts` reads it. */
const WINDOW_KEY_ITEM = 'linnet-window-key'

/**
 * The file that a browser is started with. It carries the ticket, so that neither the list of processes nor the history
 * does, and posts it.
 * @param origin the host's, made of digits and dots
 * @param ticket in the letters of base64url
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

/**
 * What answers a ticket. It goes on to the clean address by itself: a redirect of the server would still count as the
 * other site's, and be without the cookie.
 * @param windowKey in the letters of base64url
 * @param nonce what its policy lets run
 */
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
