/** By which strategies somebody passes: each with the rule that is open and the ways of passing it takes. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Way } from '@gatehouse/contract/questions/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useMay } from '../../api/session.ts'
import { shownName } from '../../kit/shownName.ts'
import { detailOf } from '../strategies/index.ts'
import styles from './questions.module.css'

/** Ways that are shown one by one. */
const SHOWN = 3

export function Ways({ ways }: { ways: Way[] }) {
  const { t } = useTranslation('questions')
  const label = useEnumLabel()
  const mayOpen = useMay('access.rule')
  const deleted = t('sinceDeleted')
  return (
    <ul className={styles.ways}>
      {ways.slice(0, SHOWN).map(({ strategy, timeRule, methods }) => {
        const words = [
          shownName(timeRule.name ?? deleted),
          methods.map((method) => label(accessMethod, method)).join(t('common:listSeparator')),
        ].join(' · ')
        return (
          <li key={`${strategy.id} ${timeRule.id}`} title={`${strategy.name ?? deleted} · ${words}`}>
            {mayOpen && strategy.name !== null ? (
              <Link to={detailOf(strategy.id)} tabIndex={-1}>
                {strategy.name}
              </Link>
            ) : (
              <span>{strategy.name ?? deleted}</span>
            )}
            <small>{words}</small>
          </li>
        )
      })}
      {ways.length > SHOWN && (
        <li>
          <small>{t('moreWays', { count: ways.length - SHOWN })}</small>
        </li>
      )}
    </ul>
  )
}
