/** The written rules that a change violates: as a list, as a warning before saving, and as the reason why saving was refused. */
import { StopOutlined, TeamOutlined } from '@ant-design/icons'
import { Alert, Button, Drawer } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { writtenRuleCalls, type Breach, type Breaker, type ChangeDraft } from '@gatehouse/contract/approvals/written-rules'
import { useMay } from '../../api/session.ts'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import type { Refusal } from '../../api/refusal.ts'
import { path } from '../../paths.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { useRuleWords } from './ruleWords.ts'
import styles from './writtenRules.module.css'

interface BreachesProps {
  breaches: readonly Breach[]
  /** The change as it would be saved; absent where the server can no longer list the persons concerned. */
  change?: object | undefined
}

/** Return whether the change loosens the rule itself, without letting any person pass. */
const loosens = ({ personCount }: Breach): boolean => personCount === 0

/** Each rule with the persons, doors and hours concerned, and a button that lists the persons by name. */
export function Breaches({ breaches, change }: BreachesProps) {
  const { t } = useTranslation('approvals')
  const words = useRuleWords()
  const mayAsk = useMay(writtenRuleCalls.breachers.permission)
  const [shown, setShown] = useState<Breach>()
  return (
    <ul className={styles.breaches}>
      {breaches.map((one) => (
        <li key={one.rule.id} data-reaction={one.reaction}>
          {one.reaction === 'refuse' ? <StopOutlined aria-hidden /> : <TeamOutlined aria-hidden />}
          <div>
            <b>{t(`breach.${loosens(one) ? 'loosens' : one.reaction}`, { name: one.rule.name })}</b>
            {!loosens(one) && <p>{t('breach.words', { count: one.personCount, doors: words.doors(one), hours: words.hours(one) })}</p>}
            {one.rule.sentence && <p className={styles.sentence}>{one.rule.sentence}</p>}
          </div>
          {change && mayAsk && !loosens(one) && (
            <Button size="small" onClick={() => setShown(one)}>
              {t('breach.show')}
            </Button>
          )}
        </li>
      ))}
      {shown && (
        <BreakersDrawer
          open
          title={t('breach.title', { name: shown.rule.name })}
          call={writtenRuleCalls.breachers}
          body={{ ...change, writtenRuleId: shown.rule.id }}
          close={() => setShown(undefined)}
        />
      )}
    </ul>
  )
}

/** The written rules that a change violates, shown in a form beside the effect of the change before it is saved. */
export function BreachLine({ of, body }: { of: keyof ChangeDraft; body: object }) {
  const change = { [of]: body } as ChangeDraft
  const { data = [] } = useRead(writtenRuleCalls.breaches, { body: change })
  return <BreachesAhead breaches={data} change={change} />
}

/** @param change as it would be saved; undefined where the server cannot list the persons */
export function BreachesAhead({ breaches, change }: { breaches: readonly Breach[]; change: object | undefined }) {
  const { t } = useTranslation('approvals')
  if (breaches.length === 0) return null
  return (
    <section className={styles.breachLine} aria-label={t('breach.ahead')}>
      <Breaches breaches={breaches} change={change} />
    </section>
  )
}

/**
 * Return the `hindered` option of a form: a function that renders a refusal by written rules, and returns undefined for other refusals.
 * @param of what the form saves; absent: a written rule itself
 */
export function hinderedBy(of?: keyof ChangeDraft): (refusal: Refusal, body: object) => ReactNode {
  return (refusal, body) =>
    Array.isArray(refusal.data['breaches']) ? (
      <Hindrance key={crypto.randomUUID()} refusal={refusal} change={of && { [of]: body }} />
    ) : undefined
}

/** The reason why a form was not saved, above its buttons: the rules it violates, or that another user has to approve it. */
function Hindrance({ refusal, change }: { refusal: Refusal; change: object | undefined }) {
  const { t } = useTranslation('approvals')
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' })
    element.current?.focus({ preventScroll: true })
  }, [])
  const { breaches, expiresAt } = refusal.data as { breaches: Breach[]; expiresAt?: number }
  const waits = expiresAt !== undefined
  return (
    <div
      ref={element}
      tabIndex={-1}
      className={styles.hindrance}
      role="alert"
      aria-label={t(waits ? 'hindrance.waits' : 'hindrance.refused')}
    >
      <Alert
        type={waits ? 'info' : 'error'}
        showIcon
        title={t(waits ? 'hindrance.waits' : 'hindrance.refused')}
        description={
          <>
            {waits ? (
              <p>
                {t('hindrance.waitsWords')} {t('expires')} <RelativeTime at={expiresAt} />.{' '}
                <Link to={path('pendingChanges')}>{t('hindrance.toList')}</Link>
              </p>
            ) : (
              <p>{t('hindrance.refusedWords')}</p>
            )}
            <Breaches breaches={breaches} change={change} />
          </>
        }
      />
    </div>
  )
}

interface BreakersDrawerProps {
  open: boolean
  title: string
  call: (typeof writtenRuleCalls)['standing' | 'breachers']
  /** Body of the call, without the page. */
  body: object
  close: () => void
}

/** Pixels. */
const WIDTH = 640

/** Persons who break, or would break, a written rule, listed by name and in pages beside the form or list. */
export function BreakersDrawer({ open, title, call, body, close }: BreakersDrawerProps) {
  return (
    <Drawer
      open={open}
      onClose={close}
      size={WIDTH}
      title={title}
      destroyOnHidden
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
    >
      {open && <Breakers call={call} body={body} />}
    </Drawer>
  )
}

function Breakers({ call, body }: Pick<BreakersDrawerProps, 'call' | 'body'>) {
  const { t } = useTranslation('approvals')
  const words = useRuleWords()
  const mayOpen = useMay('person.list')
  const list = useLocalList(call, { name: 'ruleBreakers', fixed: body })
  const columns = columnsOf<Breaker>([
    {
      field: 'name',
      title: t('person'),
      width: 180,
      visibility: 'always',
      render: ({ contactsOnly, id, name, workNumber, parkName }) => (
        <span className={styles.two}>
          {mayOpen && parkName === null ? (
            <Link to={path('staffDetails', { id })} title={name}>
              {name}
            </Link>
          ) : (
            <span title={name}>{name}</span>
          )}
          <small>{[workNumber, parkName, contactsOnly && t('contactsOnly')].filter(Boolean).join(' · ')}</small>
        </span>
      ),
    },
    { field: 'deviceNames', title: t('doors'), width: 170, visibility: 'always', render: words.doors },
    { field: 'periods', title: t('when'), width: 220, visibility: 'always', render: words.hours },
  ])
  return <ListTable list={list} columns={columns} empty={{ title: t('standing.nobody') }} />
}
