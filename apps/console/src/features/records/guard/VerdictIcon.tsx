/** The sign of a verdict, so that it is told by more than its colour. */
import { CheckOutlined, CloseOutlined, WarningFilled } from '@ant-design/icons'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { weightOf } from './stage.ts'

const ICONS = { admitted: CheckOutlined, refused: CloseOutlined, hit: WarningFilled }

export function VerdictIcon({ record }: { record: AccessRecord }) {
  const Icon = ICONS[weightOf(record)]
  return <Icon />
}
