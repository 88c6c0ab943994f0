/** What a passage offers to one person of the list. */
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { secondPhotographCalls, type OnePhotograph } from '@gatehouse/contract/records/second-photographs'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { path } from '../../../paths.ts'
import { OfferedPhotograph } from '../SecondPhotograph.tsx'

export function SecondPhotographDialog({ editor, person: { id, personName } }: { editor: Editor<OnePhotograph>; person: OnePhotograph }) {
  const { t } = useTranslation('people')
  const offered = useRead(secondPhotographCalls.offer, { params: { id } }, { enabled: editor.open })
  return (
    <Modal
      open={editor.open}
      title={t('second.of', { name: personName })}
      footer={null}
      onCancel={editor.close}
      width={520}
      destroyOnHidden
    >
      <DetailPage query={offered}>
        {(found) =>
          found.offer === null ? (
            <p>
              {t('second.none')} <Link to={path('staffDetails', { id })}>{t('second.addOne')}</Link>
            </p>
          ) : (
            <OfferedPhotograph offered={found} onTaken={editor.close} />
          )
        }
      </DetailPage>
    </Modal>
  )
}
