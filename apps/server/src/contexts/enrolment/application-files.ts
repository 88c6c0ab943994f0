/** Files of applications. */
import type { ApplicationRow } from './data.ts'

/** Return the files that an application keeps. */
export const filesOf = ({ fileId, secondFileId }: Pick<ApplicationRow, 'fileId' | 'secondFileId'>): string[] =>
  [fileId, secondFileId].filter((id) => id !== null)
