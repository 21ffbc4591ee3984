/** Parses JSON that others may have written. @returns null if it is malformed or doesn't match the schema */
export const parseJsonAs = <Value>(
  schema: { readonly safeParse: (value: unknown) => { readonly data?: Value | undefined } },
  text: string,
): Value | null => {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
