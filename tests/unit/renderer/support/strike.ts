/** Strikes a registered key as an English keyboard does. */
export const strike = (keys: string): void => {
  for (const chord of keys.split(' ')) {
    const parts = chord.split(/\+(?=.)/)
    const key = parts.at(-1) ?? ''
    const isUpper = /^[A-Z]$/.test(key)
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: key === 'Space' ? ' ' : key,
        code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
        ctrlKey: parts.includes('Mod'),
        altKey: parts.includes('Alt'),
        shiftKey: isUpper || parts.includes('Shift'),
        bubbles: true,
        cancelable: true,
      }),
    )
  }
}
