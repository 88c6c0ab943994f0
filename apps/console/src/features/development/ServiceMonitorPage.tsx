/** /serviceMonitor: the state of the parts of the installation, measured every few seconds. */
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { developmentCalls, JOB_COUNTS, type ServiceHealth, type ServiceJob, type ServicePart } from '@gatehouse/contract/development/calls'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { readOptions } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { shownName } from '../../kit/shownName.ts'
import styles from './development.module.css'

/** Milliseconds between two measurements. */
const PACE = 3000
const STATUS = { ok: 'ok', warn: 'wait', fail: 'bad' } as const
const OUTCOME = { success: 'ok', skipped: 'off', failed: 'bad' } as const

export default function ServiceMonitorPage() {
  const { t } = useTranslation('development')
  const health = useQuery({ ...readOptions(developmentCalls.service, {}), refetchInterval: PACE })
  const { data } = health
  return (
    <Screen
      title={t('shell:title.serviceMonitor')}
      note={data && <StatusTag status={STATUS[data.state]}>{t(`service.state.${data.state}`)}</StatusTag>}
      actions={<Button onClick={() => void health.refetch()}>{t('common:list.reload')}</Button>}
    >
      <DetailPage query={health}>{(found) => <Health health={found} />}</DetailPage>
    </Screen>
  )
}

function Health({ health: { version, engine, startedAt, measuredAt, parts, jobs } }: { health: ServiceHealth }) {
  const { t } = useTranslation('development')
  return (
    <>
      <div className={styles.four}>
        <Facts
          facts={[
            [t('service.version'), version],
            [t('service.engine'), shownName(engine)],
            [t('service.startedAt'), <RelativeTime key="started" at={startedAt} />],
            [t('service.measuredAt'), <RelativeTime key="measured" at={measuredAt} />],
          ]}
        />
      </div>
      <ul className={styles.parts}>
        {parts.map((part) => (
          <Part key={part.part} {...part} />
        ))}
      </ul>
      <Section title={t('service.jobs')}>
        <Jobs jobs={jobs} />
      </Section>
    </>
  )
}

function Part({ part, state, advice, figures }: ServicePart) {
  const { t } = useTranslation('development')
  const words = useFigureWords()
  return (
    <li data-state={state}>
      <header>
        <h2>{t(`part.${part}`)}</h2>
        <StatusTag status={STATUS[state]}>{t(`service.state.${state}`)}</StatusTag>
      </header>
      <dl className={styles.figures}>
        {figures.map((figure) => (
          <div key={figure.name}>
            <dt>{t(`figure.${figure.name}`)}</dt>
            <dd>{words(figure)}</dd>
          </div>
        ))}
      </dl>
      {advice !== null && <p>{t(`advice.${advice}`)}</p>}
    </li>
  )
}

function Jobs({ jobs }: Pick<ServiceHealth, 'jobs'>) {
  const { t } = useTranslation('development')
  return (
    <table className={styles.jobs}>
      <thead>
        <tr>
          <th>{t('service.job')}</th>
          <th>{t('service.lastRun')}</th>
          <th>{t('service.outcome')}</th>
          <th>{t('service.note')}</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(({ name, lastRunAt, outcome, ...run }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <RelativeTime at={lastRunAt} />
            </td>
            <td>
              {outcome === null ? (
                t('service.outcomes.none')
              ) : (
                <StatusTag status={OUTCOME[outcome]}>{t(`service.outcomes.${outcome}`)}</StatusTag>
              )}
            </td>
            <td>
              <RunResult {...run} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The counts of a run, the reason for its failure, or the message of the error that stopped it. */
function RunResult({ counts, reason, error }: Pick<ServiceJob, 'counts' | 'reason' | 'error'>) {
  const { t } = useTranslation('development')
  if (error !== '') return <code>{error}</code>
  if (reason !== null) return t(`reason.${reason}`)
  const did = JOB_COUNTS.flatMap((name) => (counts[name] === undefined ? [] : [t(`count.${name}`, { count: counts[name] })]))
  return did.join(t('common:listSeparator')) || '—'
}

type Figure = ServicePart['figures'][number]

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Return a function that puts a measured number in words, with its unit. */
function useFigureWords(): (figure: Figure) => ReactNode {
  const { t, i18n } = useTranslation('development')
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    value.toLocaleString(i18n.language, { maximumFractionDigits: 1, ...options })

  function bytes(value: number): string {
    const power = Math.min(BYTE_UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log2(value) / 10))
    return number(value / 1024 ** power, { style: 'unit', unit: BYTE_UNITS[power]!, unitDisplay: 'short' })
  }

  function duration(seconds: number): string {
    const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
    if (days > 0) return t('days', { days, hours })
    return hours > 0 ? t('hours', { hours, minutes }) : t('minutes', { minutes })
  }

  return ({ unit, value }) => {
    if (value === null) return '—'
    switch (unit) {
      case 'bytes':
        return bytes(value)
      case 'ms':
        return number(value, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' })
      case 'percent':
        return number(value / 100, { style: 'percent' })
      case 'seconds':
        return duration(value)
      case 'instant':
        return <RelativeTime at={value} />
      default:
        return number(value)
    }
  }
}
