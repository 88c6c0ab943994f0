/** Filters of statistics: result, reason, door, and groups of doors or persons. */
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessResult, failReason } from '@gatehouse/contract/enums/access'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useDoorChoices } from '../../shared/doorChoices.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import type { Filter } from '../../kit/list/FilterBar.tsx'
import { useRead } from '../../api/query.ts'
import type { NamedNode } from '../../kit/form/treeChoices.ts'
import type { StatisticsQuery } from './statisticsWindow.ts'

/** Return the groups as options, each indented below its parent. */
const leaning = (nodes: readonly NamedNode[], depth = 0): { value: string; label: string }[] =>
  nodes.flatMap(({ id, name, children }) => [{ value: id, label: `${'\u2003'.repeat(depth)}${name}` }, ...leaning(children, depth + 1)])

export function useStatisticsFilters(): Filter<StatisticsQuery>[] {
  const { t } = useTranslation('statistics')
  const optionsOf = useEnumOptions()
  const doors = useDoorChoices()
  const deviceGroups = useRead(deviceCalls.groupTree, {})
  const personGroups = useRead(peopleCalls.groupTree, { query: {} })
  return [
    { field: 'result', label: t('filter.verdict'), options: optionsOf(accessResult) },
    { field: 'failReason', label: t('filter.reason'), options: optionsOf(failReason) },
    ...(doors === undefined ? [] : [{ field: 'deviceId' as const, label: t('filter.door'), options: doors }]),
    ...(deviceGroups.data?.length
      ? [{ field: 'deviceGroupId' as const, label: t('filter.deviceGroup'), options: leaning(deviceGroups.data) }]
      : []),
    ...(personGroups.data?.length
      ? [{ field: 'personGroupId' as const, label: t('filter.personGroup'), options: leaning(personGroups.data) }]
      : []),
  ]
}
