/** Files on their way to the server. A form that is saved meanwhile waits for them: what was chosen before is saved with it. */
import { createContext, useContext } from 'react'

/** Takes note of an upload; its promise holds whether the file was taken. One that rejects was not. */
export type NoteUpload = (upload: Promise<boolean>) => void

/** Outside a form nobody waits. */
export const Uploads = createContext<NoteUpload>(() => {})
export const useUploads = (): NoteUpload => useContext(Uploads)

/** The uploads of one form. */
export interface PendingUploads {
  note: NoteUpload
  /** Whether any is on its way. */
  any: () => boolean
  /** Once all are over, those begun meanwhile too: whether each file was taken. */
  settled: () => Promise<boolean>
}

export function pendingUploads(): PendingUploads {
  const pending = new Set<Promise<boolean>>()
  return {
    note(upload) {
      const outcome = upload.catch(() => false)
      pending.add(outcome)
      void upload.finally(() => pending.delete(outcome))
    },
    any: () => pending.size > 0,
    async settled() {
      let taken = true
      while (pending.size > 0) taken = (await Promise.all(pending)).every(Boolean) && taken
      return taken
    },
  }
}
