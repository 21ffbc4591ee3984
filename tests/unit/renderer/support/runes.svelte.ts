const readRune = (): boolean => {
  try {
    const rune = $state({ isCompiled: true })
    return rune.isCompiled
  } catch {
    return false
  }
}

/** Whether the Svelte compiler is at work: without it a rune is an unknown name. */
export const areRunesCompiled = readRune()
