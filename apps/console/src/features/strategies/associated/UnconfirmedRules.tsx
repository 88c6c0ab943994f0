/**
 * Rules for everybody of a linked park from before users had to confirm that everybody is meant: a user who manages rules
 * confirms it or chooses persons.
 */
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { detailOf, formOf } from './associatedRules.tsx'
import type { AssociatedRuleRow } from './associatedColumns.tsx'
import styles from './associated.module.css'

/** Rules shown at once; others follow as these are decided. */
const SHOWN = 20

export function UnconfirmedRules() {
  const { t } = useTranslation('strategies')
  const { data } = useRead(associatedRuleCalls.list, { body: { everybodyConfirmed: false, size: SHOWN } })
  if (data === undefined || data.total === 0) return null
  return (
    <Alert
      className={styles.unconfirmed ?? ''}
      type="warning"
      showIcon
      title={t('associated.unconfirmed.title', { count: data.total })}
      description={
        <>
          <p>{t('associated.unconfirmed.words')}</p>
          <ul aria-label={t('associated.unconfirmed.title', { count: data.total })}>
            {data.content.map((rule) => (
              <li key={rule.id}>
                <Unconfirmed rule={rule} />
              </li>
            ))}
          </ul>
          {data.total > data.content.length && <p>{t('associated.unconfirmed.more', { count: data.total - data.content.length })}</p>}
        </>
      }
    />
  )
}

function Unconfirmed({ rule }: { rule: AssociatedRuleRow }) {
  const { t } = useTranslation('strategies')
  const { name, parkName, linked, personCount } = rule
  return (
    <>
      <span>
        <Link to={detailOf(rule)}>{name}</Link>{' '}
        {linked
          ? t('associated.unconfirmed.letsIn', { park: parkName, persons: t('persons', { count: personCount }) })
          : t('associated.unconfirmed.ended', { park: parkName })}
      </span>
      <ConfirmEverybody rule={rule} />
    </>
  )
}

/** The choice between everybody, and a list of persons, which is made in the form. */
export function ConfirmEverybody({ rule }: { rule: Pick<AssociatedRuleRow, 'id' | 'name' | 'kind'> }) {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const { confirm, pending } = useConfirmEverybody()
  return (
    <span className={styles.choices}>
      <Button
        size="small"
        loading={pending}
        aria-label={t('associated.unconfirmed.confirmOf', { name: rule.name })}
        onClick={() => confirm(rule)}
      >
        {t('associated.unconfirmed.confirm')}
      </Button>
      <Button
        size="small"
        aria-label={t('associated.unconfirmed.chooseOf', { name: rule.name })}
        onClick={() => void navigate(formOf(rule))}
      >
        {t('associated.unconfirmed.choose')}
      </Button>
    </span>
  )
}

/** Return a function that confirms that a rule means everybody of the linked park. */
function useConfirmEverybody(): { confirm: (rule: { id: string }) => void; pending: boolean } {
  const { t } = useTranslation('strategies')
  const { run, pending } = useWrite(associatedRuleCalls.confirmEverybody, { done: t('associated.unconfirmed.confirmed') })
  return { confirm: ({ id }) => run({ params: { id } }), pending }
}
