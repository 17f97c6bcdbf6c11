import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { messageWords } from '../../words/messages.ts';
import { AddChannel, type CreatedChannel } from './channel-dialogs.tsx';

interface NewChannelProps {
  projectId: string;
  /** With the new channel's id, as soon as there is one. */
  onMade: (id: string) => void;
  onClose: () => void;
}

/** A new channel for alerts, and the secret with which it signs. */
export default function NewChannel({ projectId, onMade, onClose }: NewChannelProps) {
  const [made, setMade] = useState<CreatedChannel>();
  const texts = messageWords.channels;
  if (made?.secret == null)
    return (
      <AddChannel
        projectId={projectId}
        events={['alert.firing', 'alert.over']}
        onClose={onClose}
        onDone={(channel) => {
          onMade(channel.id);
          if (channel.secret === null) onClose();
          else setMade(channel);
        }}
      />
    );
  const { name, secret } = made;
  return (
    <Dialog title={name} onClose={onClose} isKept>
      <div class="body form">
        <ShownOnce
          {...{ title: texts.secretMade(name), text: texts.once, label: texts.secret, secret }}
          done={texts.copied}
          onDone={onClose}
        />
      </div>
    </Dialog>
  );
}
