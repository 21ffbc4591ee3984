/** The two small pages that take a browser from a ticket to the window. */

/** Storage item for the page's half of the credentials, read by `renderer/browser-transport.ts`. */
const WINDOW_KEY_ITEM = 'linnet-window-key'

/** Posts the ticket, to keep it out of process lists and history. The arguments need no escaping. */
export const renderTicketPage = (origin: string, ticket: string): string => `<!doctype html>
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
 * Navigates by script: a redirect would still count as cross-site and arrive without the cookie. @param windowKey
 * base64url
 */
export const renderAdmittedPage = (windowKey: string, nonce: string): string => `<!doctype html>
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
