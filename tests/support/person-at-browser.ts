/** A person in their browser at the platform's page, without one: what they press, and where that leads. */

const AGENT = { 'user-agent': 'a browser' }

/**
 * Opens the page and presses a button of it.
 * @returns where the browser is led: to the program that asked
 */
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

/** The same, and goes where the browser is led. @returns the page that is shown there */
export const signInAt = async (page: string, decision: 'allow' | 'deny' = 'allow'): Promise<Response> =>
  fetch(await decideAt(page, decision), { headers: AGENT })
