export const openLink = (target: string): void => {
  window.open(target, '_blank', 'noopener,noreferrer')
}
