/** Row navigation commands with their default keys. `step` is in rows. */
export const NEXT_ROW = { id: 'list.next', keys: ['j'], step: 1 } as const
export const PREVIOUS_ROW = { id: 'list.previous', keys: ['k'], step: -1 } as const
