/** /staffList. */
import { PersonList } from './PersonList.tsx'

export default function StaffListPage() {
  return <PersonList kind="staff" />
}
