/** Uploads in progress. A form that is saved meanwhile waits for them, so that files chosen before are saved with it. */
import { createContext, useContext } from 'react'

/** A function that notes an upload. The promise resolves to whether the file was accepted; where it rejects, the file was not. */
export type NoteUpload = (upload: Promise<boolean>) => void

/** Outside a form, uploads are not awaited. */
export const Uploads = createContext<NoteUpload>(() => {})
export const useUploads = (): NoteUpload => useContext(Uploads)

/** The uploads of one form. */
export interface PendingUploads {
  note: NoteUpload
  /** Return whether any upload is in progress. */
  any: () => boolean
  /** Resolve once all uploads have ended, including those started meanwhile, to whether every file was accepted. */
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
