/** /customerDetails/{id}. */
import { PersonDetail } from '../PersonDetail.tsx'

export default function CustomerDetailPage() {
  return <PersonDetail kind="customer" />
}
