/** Hands a received file to the person, under the name the server gave it. */
import type { ReceivedFile } from './http.ts'

/** Milliseconds after which every browser has taken the file. */
const TAKEN_AFTER = 60_000

export function saveFile({ blob, name }: ReceivedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_AFTER)
}
