/** Which written rules a change goes against: each with who, where and when, and the way to their names. */
import { StopOutlined, TeamOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writtenRuleCalls, type Breach } from '@gatehouse/contract/approvals/written-rules'
import { useMay } from '../../api/session.ts'
import { BreakersDrawer } from './BreakersDrawer.tsx'
import { useRuleWords } from './useRuleWords.ts'
import styles from './writtenRules.module.css'

interface BreachesProps {
  breaches: readonly Breach[]
  /** The change as it would be saved; absent where it cannot be asked about any more. */
  change?: object | undefined
}

/** It is no way for anybody to pass, but a change of the rule itself. */
const loosens = ({ personCount }: Breach): boolean => personCount === 0

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
