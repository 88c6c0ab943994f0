/** Columns of the answers: the person or door, and the strategies. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AffectedPerson, PassableDoor, Passer, Way } from '@gatehouse/contract/questions/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { usePersonName } from '../../shared/personName.ts'
import { useMay } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { shownName } from '../../kit/shownName.ts'
import { detailOf } from '../strategies/index.ts'
import styles from './questions.module.css'

/** A person, as a link for a user who may see persons. */
function Person({ id, name, workNumber }: { id: string; name: string; workNumber: string }) {
  const { t } = useTranslation('questions')
  const mayOpen = useMay('person.list')
  const nameOf = usePersonName()
  return (
    <span className={styles.two}>
      {mayOpen && name ? (
        <Link to={path('staffDetails', { id })} title={name} tabIndex={-1}>
          {name}
        </Link>
      ) : (
        <span>{nameOf(id, name) || t('deletedPerson')}</span>
      )}
      {workNumber && <small title={workNumber}>{workNumber}</small>}
    </span>
  )
}

export function usePasserColumns(): TableColumn<Passer>[] {
  const { t } = useTranslation('questions')
  return columnsOf<Passer>([
    { field: 'name', title: t('person'), width: 220, visibility: 'always', render: (row) => <Person {...row} /> },
    { field: 'ways', title: t('ways'), width: 520, visibility: 'always', render: ({ ways }) => <Ways ways={ways} /> },
  ])
}

/** @param several whether to show how many of the persons can pass */
export function useDoorColumns(several: boolean): TableColumn<PassableDoor>[] {
  const { t } = useTranslation('questions')
  const mayOpen = useMay('device.list')
  return columnsOf<PassableDoor>([
    {
      field: 'name',
      title: t('door'),
      width: 200,
      visibility: 'always',
      render: ({ id, name }) =>
        mayOpen && name !== null ? (
          <Link to={path('deviceDetails', { deviceId: id })} title={name} tabIndex={-1}>
            {name}
          </Link>
        ) : (
          (name ?? t('deletedDoor'))
        ),
    },
    ...(several
      ? [
          {
            field: 'personCount' as const,
            title: t('passing'),
            width: 110,
            visibility: 'always' as const,
            render: ({ personCount }: PassableDoor) => t('count', { count: personCount }),
          },
        ]
      : []),
    { field: 'ways', title: t('ways'), width: 440, visibility: 'always', render: ({ ways }) => <Ways ways={ways} /> },
  ])
}

export function useAffectedColumns(): TableColumn<AffectedPerson>[] {
  const { t } = useTranslation('questions')
  return columnsOf<AffectedPerson>([
    { field: 'name', title: t('person'), width: 200, visibility: 'always', render: (row) => <Person {...row} /> },
    {
      field: 'deviceNames',
      title: t('doors'),
      width: 360,
      visibility: 'always',
      render: ({ deviceNames, deviceCount }) => {
        const named = deviceNames.join(t('common:listSeparator'))
        return deviceCount > deviceNames.length ? t('andMore', { doors: named, count: deviceCount - deviceNames.length }) : named
      },
    },
  ])
}

/** Ways shown one by one; the rest is counted. */
const SHOWN = 3

/** The strategies by which a person passes, each with the open time rule and its methods. */
function Ways({ ways }: { ways: Way[] }) {
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
