/** Simulates the user at the platform's sign-in page, without a browser. */

const AGENT = { 'user-agent': 'a browser' }

/** Opens the page and presses a button. @returns the redirect URL, which leads back to the client */
export const decideAt = async (page: string, decision: 'allow' | 'deny' = 'allow'): Promise<URL> => {
  const shown = await fetch(page, { headers: AGENT, redirect: 'manual' })
  const ticket = /name="ticket" value="([^"]+)"/.exec(await shown.text())?.[1] ?? ''
  const answer = await fetch(new URL('/oauth/authorize', page), {
    method: 'POST',
    redirect: 'manual',
    headers: AGENT,
    body: new URLSearchParams({ ticket, decision }),
  })
  return new URL(answer.headers.get('location') ?? '')
}

/** Also follows the redirect. @returns the page shown there */
export const signInAt = async (page: string, decision: 'allow' | 'deny' = 'allow'): Promise<Response> =>
  fetch(await decideAt(page, decision), { headers: AGENT })
