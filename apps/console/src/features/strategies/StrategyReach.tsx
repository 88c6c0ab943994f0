/** How many the choices made so far reach. Who or what is chosen both singly and by a group is counted twice, hence "up to". */
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import type { AccessGroup } from '@gatehouse/contract/strategies/access-groups'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/calls'
import { membersIn } from './groups.ts'
import type { StrategyValues } from './strategyValues.ts'
import styles from './strategies.module.css'

export function StrategyReach({
  personGroups,
  deviceGroups,
  accessGroups,
}: {
  personGroups: PersonGroupNode[]
  deviceGroups: DeviceGroupNode[]
  accessGroups: AccessGroup[]
}) {
  const { t } = useTranslation('strategies')
  const form = Form.useFormInstance<StrategyValues>()
  const single = Form.useWatch('personIds', form) ?? []
  const groups = Form.useWatch('personGroupIds', form) ?? []
  const doors = Form.useWatch('deviceIds', form) ?? []
  const doorGroups = Form.useWatch('deviceGroupIds', form) ?? []
  const chosenAccess = Form.useWatch('accessGroupIds', form) ?? []

  const inGroups = membersIn(personGroups, groups, ({ personCount }) => personCount)
  const inDoorGroups = membersIn(deviceGroups, doorGroups, ({ deviceCount }) => deviceCount)
  const persons = inGroups + single.length
  const inAccessGroups = accessGroups.filter(({ id }) => chosenAccess.includes(id)).reduce((sum, { deviceCount }) => sum + deviceCount, 0)
  const devices = inDoorGroups + inAccessGroups + doors.length
  if (persons === 0 || devices === 0)
    return (
      <p className={styles.sum} data-idle>
        {persons === 0 ? t('reachesNobodyYet') : t('reachesNoDoorYet')}
      </p>
    )
  const exact =
    (inGroups === 0 || single.length === 0) &&
    [inDoorGroups, inAccessGroups, doors.length].filter(Boolean).length === 1 &&
    chosenAccess.length <= 1
  return (
    <p className={styles.sum} role="status">
      {t(exact ? 'reaches' : 'reachesUpTo', { persons: t('persons', { count: persons }), doors: t('doors', { count: devices }) })}
    </p>
  )
}
