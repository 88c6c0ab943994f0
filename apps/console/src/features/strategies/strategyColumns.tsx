/** Columns of the strategies: whom, where, when, how; and how many that reaches. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OutputOf } from '@gatehouse/contract'
import type { strategyRow } from '@gatehouse/contract/strategies/calls'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { accessMethod, authorisedObject, strategyKind } from '@gatehouse/contract/enums/access'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag, StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { detailOf } from './addresses.ts'
import { StrategyValidity } from './StrategyValidity.tsx'
import styles from './strategies.module.css'

export type StrategyRow = OutputOf<typeof strategyRow>

export function useStrategyColumns(): TableColumn<StrategyRow>[] {
  const { t } = useTranslation('strategies')
  const label = useEnumLabel()
  const names = (...named: { name: string }[][]): string =>
    named
      .flat()
      .map(({ name }) => shownName(name))
      .join(t('common:listSeparator'))
  return columnsOf<StrategyRow>([
    {
      field: 'name',
      title: t('name'),
      width: 180,
      visibility: 'always',
      render: ({ id, name, isDefault }) => (
        <span className={styles.name}>
          <Link to={detailOf(id)} title={name} tabIndex={-1}>
            {name}
          </Link>
          {isDefault && <StatusTag status="info">{t('default')}</StatusTag>}
        </span>
      ),
    },
    {
      field: 'personCount',
      title: t('whom'),
      width: 170,
      visibility: 'always',
      render: ({ personCount, personGroups }) => (
        <Reach count={personCount} words={t('persons', { count: personCount })} names={names(personGroups)} none={t('reachesNobody')} />
      ),
    },
    {
      field: 'deviceCount',
      title: t('where'),
      width: 170,
      visibility: 'always',
      render: ({ deviceCount, accessGroups, deviceGroups, devices }) => (
        <Reach
          count={deviceCount}
          words={t('doors', { count: deviceCount })}
          names={names(accessGroups, deviceGroups, devices)}
          none={t('reachesNoDoor')}
        />
      ),
    },
    { field: 'timeRules', title: t('when'), width: 140, render: ({ timeRules }) => names(timeRules) },
    {
      field: 'methods',
      title: t('how'),
      width: 150,
      render: ({ methods }) => methods.map((method) => label(accessMethod, method)).join(t('common:listSeparator')),
    },
    {
      field: 'validTo',
      title: t('validity'),
      width: 130,
      render: ({ validFrom, validTo }) => <StrategyValidity from={validFrom} to={validTo} />,
    },
    {
      field: 'authorizedObject',
      title: t('whoPasses'),
      width: 110,
      visibility: 'hidden',
      render: (row) => <EnumTag of={authorisedObject} value={row.authorizedObject} />,
    },
    {
      field: 'kind',
      title: t('kind'),
      width: 90,
      visibility: 'hidden',
      offered: BUILT_STRATEGY_KINDS.length > 1,
      render: ({ kind }) => <EnumTag of={strategyKind} value={kind} />,
    },
    {
      field: 'updatedAt',
      title: t('updatedAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
}

/** A number reached, and through what; none is worth a warning. */
function Reach({ count, words, names, none }: { count: number; words: string; names: string; none: string }) {
  return (
    <span className={styles.reach}>
      {count === 0 ? <StatusTag status="wait">{none}</StatusTag> : <b>{words}</b>}
      {names && <small title={names}>{names}</small>}
    </span>
  )
}
