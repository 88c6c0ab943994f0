/** The download of the file of an export; a refusal is shown as a toast. */
import { useState } from 'react'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'

export function useDownload(): { download: (id: string) => void; pending: boolean } {
  const [pending, setPending] = useState(false)
  const download = (id: string): void => {
    setPending(true)
    void request(exportCalls.download, { query: { id } })
      .then(saveFile, () => {})
      .finally(() => setPending(false))
  }
  return { download, pending }
}
