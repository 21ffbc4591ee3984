export interface ImportingPlatform {
  readonly baseUrl: string
  readonly apiKey: string
}

/** Imports contacts in one request, as a user would. @param lines CSV lines, column names first */
export const importContacts = async (
  { baseUrl, apiKey }: ImportingPlatform,
  lines: readonly string[],
): Promise<void> => {
  const body = new FormData()
  body.set('file', new Blob([lines.join('\n')], { type: 'text/csv' }), 'contacts.csv')
  const answer = await fetch(`${baseUrl}/contacts/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'linnet-tests' },
    body,
  })
  if (!answer.ok) throw new Error(`The contact import failed: ${answer.status} ${await answer.text()}`)
}
