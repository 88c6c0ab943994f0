/** Columns of associated rules: linked park, persons, doors, hours and methods, with the numbers reached. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OutputOf } from '@gatehouse/contract'
import type { associatedRuleRow } from '@gatehouse/contract/strategies/associated-rules'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { accessMethod, strategyKind } from '@gatehouse/contract/enums/access'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EnumTag, StatusTag, useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../../kit/shownName.ts'
import { StrategyValidity } from '../StrategyValidity.tsx'
import styles from '../strategies.module.css'
import { detailOf } from './associatedRules.tsx'

export type AssociatedRuleRow = OutputOf<typeof associatedRuleRow>

export function useAssociatedColumns(): TableColumn<AssociatedRuleRow>[] {
  const { t } = useTranslation('strategies')
  const label = useEnumLabel()
  const names = (...named: { name: string }[][]): string =>
    named
      .flat()
      .map(({ name }) => shownName(name))
      .join(t('common:listSeparator'))
  return columnsOf<AssociatedRuleRow>([
    {
      field: 'name',
      title: t('name'),
      width: 160,
      visibility: 'always',
      render: (rule) => (
        <span className={styles.name}>
          <Link to={detailOf(rule)} title={rule.name} tabIndex={-1}>
            {rule.name}
          </Link>
        </span>
      ),
    },
    {
      field: 'parkName',
      title: t('associated.park'),
      width: 150,
      visibility: 'always',
      render: ({ parkName, linked }) => (
        <span className={styles.reach}>
          <b title={parkName}>{parkName}</b>
          {!linked && <StatusTag status="off">{t('associated.linkEnded')}</StatusTag>}
        </span>
      ),
    },
    {
      field: 'kind',
      title: t('kind'),
      width: 84,
      offered: BUILT_STRATEGY_KINDS.length > 1,
      render: ({ kind }) => <EnumTag of={strategyKind} value={kind} />,
    },
    { field: 'personCount', title: t('whom'), width: 130, visibility: 'always', render: (rule) => <PeopleOf {...rule} /> },
    {
      field: 'deviceCount',
      title: t('where'),
      width: 150,
      visibility: 'always',
      render: ({ deviceCount, deviceGroups, devices }) => (
        <span className={styles.reach}>
          {deviceCount === 0 ? <StatusTag status="wait">{t('reachesNoDoor')}</StatusTag> : <b>{t('doors', { count: deviceCount })}</b>}
          <small title={names(deviceGroups, devices)}>{names(deviceGroups, devices)}</small>
        </span>
      ),
    },
    { field: 'timeRules', title: t('when'), width: 120, render: ({ timeRules }) => names(timeRules) },
    {
      field: 'methods',
      title: t('how'),
      width: 150,
      visibility: 'hidden',
      render: ({ methods }) => methods.map((method) => label(accessMethod, method)).join(t('common:listSeparator')),
    },
    {
      field: 'validTo',
      title: t('validity'),
      width: 120,
      render: ({ validFrom, validTo }) => <StrategyValidity from={validFrom} to={validTo} />,
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

/** The persons of a rule. A rule for visitors has no number: parks share no single visitors. */
function PeopleOf({ kind, personCount, everybody, everybodyConfirmed, linked }: AssociatedRuleRow) {
  const { t } = useTranslation('strategies')
  if (kind === 'visitor') return <>{t('associated.visitors')}</>
  return (
    <span className={styles.reach}>
      {personCount === 0 ? <StatusTag status="wait">{t('reachesNobody')}</StatusTag> : <b>{t('persons', { count: personCount })}</b>}
      {linked && <small>{everybody ? t('associated.everybodyShort') : t('associated.chosenShort')}</small>}
      {!everybodyConfirmed && <StatusTag status="wait">{t('associated.unconfirmed.tag')}</StatusTag>}
    </span>
  )
}
