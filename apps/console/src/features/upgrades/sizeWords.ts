/** How large a package is, as people read it. */
import { useTranslation } from 'react-i18next'

const KIBIBYTE = 1_024
const MEBIBYTE = 1_048_576

/** @returns words for a number of bytes: kilobytes below one megabyte, so that nothing is "0 MB" */
export function useSizeWords(): (bytes: number) => string {
  const { i18n } = useTranslation()
  return (bytes) => {
    const isSmall = bytes < MEBIBYTE
    const value = isSmall ? Math.ceil(bytes / KIBIBYTE) : bytes / MEBIBYTE
    return `${value.toLocaleString(i18n.language, { maximumFractionDigits: 1 })} ${isSmall ? 'KB' : 'MB'}`
  }
}
