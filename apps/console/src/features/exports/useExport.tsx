/** One export from its start to its file: how far it is, and the file as soon as it is there. */
import { Button } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { exportStatus } from '@gatehouse/contract/enums/common'
import { exportCalls, type ExportTask } from '@gatehouse/contract/exports/calls'
import { feedback } from '../../kit/feedback.tsx'
import { useRead } from '../../api/query.ts'
import { useWorkWatch } from '../faces/index.ts'
import { useDownload } from './useDownload.ts'

/** How long a file is offered beside the page; seconds. */
const OFFERED = 30

interface Export {
  task: ExportTask | undefined
  download: () => void
  downloading: boolean
}

/** @param id undefined before the start @param watched whether its state is on screen: the file comes by itself then, and is offered otherwise */
export function useExport(id: string | undefined, watched: boolean): Export {
  const { t } = useTranslation('exports')
  const { download, pending } = useDownload()
  const { data: task, isError } = useRead(exportCalls.progress, { query: { id: id ?? '' } }, { enabled: id !== undefined })
  const isReady = task?.status === exportStatus.exported
  const isOver = isReady || task?.status === exportStatus.failed
  useWorkWatch(id !== undefined && !isOver && !isError, exportCalls.progress)
  const give = useEffectEvent((ready: string): void => {
    if (watched) return download(ready)
    void feedback().then(({ notification }) =>
      notification.success({
        key: ready,
        title: t('ready'),
        description: task?.fileName,
        duration: OFFERED,
        actions: (
          <Button
            type="primary"
            size="small"
            onClick={() => {
              notification.destroy(ready)
              download(ready)
            }}
          >
            {t('downloadIt')}
          </Button>
        ),
      }),
    )
  })
  // Once for each file, however often its task is read again.
  const ready = isReady ? id : undefined
  useEffect(() => {
    if (ready !== undefined) give(ready)
  }, [ready])
  return { task, download: () => id !== undefined && download(id), downloading: pending }
}
