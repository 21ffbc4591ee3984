const number = new Intl.NumberFormat('en')
const plural = new Intl.PluralRules('en')

/** `1,240` */
export const formatNumber = (value: number): string => number.format(value)

/** `1 e-mail`, `2 e-mails` */
export const countOf = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${plural.select(value) === 'one' ? one : many}`

/** `312 bytes`, `14 KB`, `2.4 MB`: decimal units, as file managers show them. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return countOf(bytes, 'byte')
  if (bytes < 999_500) return `${formatNumber(Math.round(bytes / 1000))} KB`
  const megabytes = bytes / 1e6
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatNumber(Math.round(megabytes))} MB`
}
