/** The run of an import: progress, rate and remaining time; afterwards its outcome with links. */
import { Alert, Button, Progress } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { importCalls, type PersonImport } from '@gatehouse/contract/imports/calls'
import type { WorkState } from '@gatehouse/contract/work'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import { listAddress } from './importWords.ts'
import { rateOf, spokenDuration, withSample, type Sample } from './pace.ts'
import styles from './imports.module.css'

export function RunState({ of }: { of: PersonImport }) {
  const { t } = useTranslation('imports')
  const { state, work } = of
  if (state === 'running') return <Running id={of.id} work={work} />
  if (state === 'failed')
    return <Alert className={styles.run ?? ''} type="error" showIcon title={t('run.failed')} description={work?.reason ?? undefined} />
  if (state === 'cancelled') return <Alert className={styles.run ?? ''} type="info" showIcon title={t('run.cancelled')} />
  return state === 'done' ? <Result of={of} /> : null
}

/** Return the steps a second; null where it cannot be measured. */
function useRate(done: number): number | null {
  const [samples, setSamples] = useState<Sample[]>([])
  useEffect(() => setSamples((before) => withSample(before, { at: Date.now(), done })), [done])
  return rateOf(samples)
}

function Running({ id, work }: { id: string; work: WorkState | null }) {
  const { t, i18n } = useTranslation('imports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const { done = 0, total = null } = work ?? {}
  const rate = useRate(done)
  const cancel = useWrite(importCalls.cancel, { done: t('run.stopped') })
  const left = rate !== null && total !== null ? spokenDuration((total - done) / rate) : null
  return (
    <section className={styles.running} aria-label={t('run.title')}>
      <p>
        <b>{t('run.title')}</b>
        <span>
          {total === null || work?.state === 'waiting' ? t('run.begins') : t('run.done', { done: number(done), total: number(total) })}
          {rate !== null && ` · ${t('run.rate', { n: rate < 10 ? rate.toFixed(1) : number(Math.round(rate)) })}`}
          {left && ` · ${t(`run.left.${left.unit}`, { count: left.count })}`}
        </span>
      </p>
      <Progress percent={total ? Math.floor((done / total) * 100) : 0} strokeColor="var(--accent)" aria-label={t('run.title')} />
      <Button size="small" loading={cancel.pending} onClick={() => cancel.run({ params: { id }, body: {} })}>
        {t('run.stop')}
      </Button>
      <small>{t('run.mayLeave')}</small>
    </section>
  )
}

function Result({ of: { kind, groupId, rows, work } }: { of: PersonImport }) {
  const { t, i18n } = useTranslation('imports')
  const number = (value = 0): string => value.toLocaleString(i18n.language)
  const parts = (['create', 'change', 'photo', 'same'] as const)
    .filter((outcome) => (rows[outcome] ?? 0) > 0)
    .map((outcome) => t(`result.${outcome}`, { count: rows[outcome], n: number(rows[outcome]) }))
  const took = work?.startedAt && work.endedAt ? spokenDuration((work.endedAt - work.startedAt) / 1000) : null
  const refused = rows.refused ?? 0
  return (
    <Alert
      className={styles.run ?? ''}
      type={refused > 0 ? 'warning' : 'success'}
      showIcon
      role="status"
      title={
        <>
          {parts.length > 0 ? parts.join(t('common:listSeparator')) : t('result.nothing')}
          {took && <small> {t(`result.took.${took.unit}`, { count: took.count })}</small>}
        </>
      }
      description={
        <>
          {refused > 0 && <p>{t('result.refused', { count: refused, n: number(refused) })}</p>}
          <p className={styles.ways}>
            <Link to={listAddress(kind, { groupId })}>{t('result.people')}</Link>
            <Link to={path('photoBoard') + (kind === 'staff' ? '' : `?kind=${kind}`)}>{t('board.link')}</Link>
          </p>
        </>
      }
    />
  )
}
