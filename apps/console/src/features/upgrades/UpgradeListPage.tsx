/** /deviceUpgradeNotPrivatization: upgrades of all kinds, or of the one the address names. */
import { TaskList } from './TaskList.tsx'

export default function UpgradeListPage() {
  return <TaskList />
}
