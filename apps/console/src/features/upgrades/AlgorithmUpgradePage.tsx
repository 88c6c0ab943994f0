/** /algorithmUpgrade: upgrades of face models. */
import { TaskList } from './TaskList.tsx'

export default function AlgorithmUpgradePage() {
  return <TaskList kind="algorithm" />
}
