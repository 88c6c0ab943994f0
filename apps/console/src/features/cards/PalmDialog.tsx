/** The dialog that enrols a palm: the collector waits for it as long as the dialog says. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { toast } from '../../kit/feedback.tsx'
import { readAfter } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { CollectorField, collectorHere, useWaiting } from './collector.tsx'
import styles from './cards.module.css'

/** Seconds in which a palm has to be shown. */
const WAIT = 30
const FIELD = 'palm-collector'

export default function PalmDialog({ editor, personId }: { editor: Pick<Editor<unknown>, 'open' | 'close'>; personId: string }) {
  const { t } = useTranslation('cards')
  const cache = useQueryClient()
  const [deviceId, setDeviceId] = useState(collectorHere())
  const [none, setNone] = useState(false)
  const { waiting, failure, begin, end } = useWaiting()

  async function enrol(signal: AbortSignal): Promise<void> {
    setNone(false)
    const { palm } = await request(
      cardCalls.enrolPalm,
      { body: { personId, deviceId: deviceId!, seconds: WAIT } },
      { errors: 'inline', signal },
    )
    if (signal.aborted) return
    if (palm === null) return setNone(true)
    await readAfter(cache, cardCalls.enrolPalm)
    toast('success', t('palm.done'))
    editor.close()
  }

  function leave(): void {
    end()
    editor.close()
  }

  return (
    <Modal
      open={editor.open}
      title={t('palm.title')}
      centered
      destroyOnHidden
      onCancel={leave}
      footer={
        <>
          <Button onClick={leave}>{t('common:cancel')}</Button>
          <Button type="primary" loading={waiting} disabled={!deviceId} onClick={() => begin(enrol)}>
            {t('palm.start')}
          </Button>
        </>
      }
    >
      <label htmlFor={FIELD}>{t('write.device')}</label>
      <div>
        <CollectorField id={FIELD} {...(deviceId !== undefined && { value: deviceId })} onChange={setDeviceId} />
      </div>
      <div role="status" className={styles.now}>
        {waiting ? t('palm.show') : none && t('palm.none')}
      </div>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
    </Modal>
  )
}
