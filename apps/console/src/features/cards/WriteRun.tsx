/** A run that writes cards: each is put on the machine in turn, and its outcome is listed below. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Progress } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { CardWrite, CardWriteItem } from '@gatehouse/contract/cards/writing'
import { jobState } from '@gatehouse/contract/enums/common'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { readAfter, useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { request } from '../../api/request.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useWaiting } from './collector.tsx'
import styles from './cards.module.css'

/** Seconds to wait for a card; another wait follows while cards are left. */
const WAIT = 30

/** @param begins whether the run was just started and waits for the first card at once */
export function WriteRun({ id, begins }: { id: string; begins: boolean }) {
  const write = useRead(cardCalls.write, { params: { id } })
  return <DetailPage query={write}>{(found) => <Run write={found} begins={begins} />}</DetailPage>
}

function Run({ write, begins }: { write: CardWrite; begins: boolean }) {
  const { t } = useTranslation('cards')
  const cache = useQueryClient()
  const { waiting, failure, begin, end } = useWaiting()
  const [twice, setTwice] = useState(false)
  const again = useWrite(cardCalls.writeAgain)
  const stop = useWrite(cardCalls.stopWrite, { done: t('run.stopped') })
  const { id, total, written, failed, state } = write
  const open = total - written - failed

  async function writeAll(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { outcome } = await request(cardCalls.writeNext, { params: { id }, body: { seconds: WAIT } }, { errors: 'inline', signal })
      if (signal.aborted) return
      setTwice(outcome === 'twice')
      await readAfter(cache, cardCalls.writeNext)
      if (outcome === 'over') return
    }
  }
  const start = useEffectEvent(() => begin(writeAll))
  useEffect(() => {
    if (begins) start()
  }, [begins, id])

  return (
    <Section
      title={t('run.title', { kind: t(`kind.${write.kind}`), device: write.deviceName })}
      extra={<EnumTag of={jobState} value={state} />}
    >
      <Progress
        percent={Math.round(((written + failed) / total) * 100)}
        status={failed > 0 ? 'exception' : open === 0 ? 'success' : waiting ? 'active' : 'normal'}
        showInfo={false}
        {...(failed === 0 && open > 0 && { strokeColor: 'var(--accent)' })}
        aria-label={t('run.progress')}
      />
      <p>{t('run.done', { done: written + failed, total })}</p>
      <div role="status" className={styles.now}>
        {waiting && open > 0 && <b>{t(total === 1 ? 'run.putOn' : 'run.putNext', { position: written + failed + 1 })}</b>}
        {twice && <p>{t('run.twice')}</p>}
      </div>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      <div className={styles.buttons}>
        {open > 0 && !waiting && (
          <Button type="primary" onClick={() => begin(writeAll)}>
            {t('run.go')}
          </Button>
        )}
        {open > 0 && waiting && <Button onClick={end}>{t('run.pause')}</Button>}
        {open > 0 && (
          <Button
            danger
            loading={stop.pending}
            onClick={() => {
              end()
              stop.run({ params: { id } })
            }}
          >
            {t('run.stop')}
          </Button>
        )}
        {failed > 0 && !waiting && (
          <Button
            loading={again.pending}
            onClick={() =>
              void again.send({ params: { id } }).then(
                () => begin(writeAll),
                () => {},
              )
            }
          >
            {t('run.again', { count: failed })}
          </Button>
        )}
      </div>
      <Items items={write.items} />
    </Section>
  )
}

function Items({ items }: { items: readonly CardWriteItem[] }) {
  const { t } = useTranslation('cards')
  return (
    <table className={styles.items}>
      <thead>
        <tr>
          <th>{t('run.position')}</th>
          <th>{t('run.number')}</th>
          <th>{t('run.state')}</th>
          <th>{t('run.reason')}</th>
          <th>{t('run.at')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, position, number, state, reason, writtenAt }) => (
          <tr key={id}>
            <td>{position}</td>
            <td>{number ? <code>{number}</code> : '—'}</td>
            <td>
              <EnumTag of={jobState} value={state} />
            </td>
            <td>{reason === null ? '—' : t(`failure.${reason}`)}</td>
            <td>
              <RelativeTime at={writtenAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
