import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type Channel, listChannels, type Project } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useFields } from '../../state/telemetry-query.ts';
import { useProjects } from '../../state/use-may-change.ts';
import { words } from '../../words/index.ts';
import { messageWords } from '../../words/messages.ts';
import { NotFoundView } from '../not-found/not-found-view.tsx';
import { ChannelDetails, type MadeSecret } from './channel-details.tsx';
import { AddChannel } from './channel-dialogs.tsx';
import { StateMark } from './channel-state.tsx';
import { nameOfEvent } from './event-name.ts';

/** Where the messages of a project go: all channels, or one of them with its deliveries: `?channel=`. */
export default function ChannelsView({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useProjects();
  const project = data?.data.find(({ id }) => id === projectId);
  useEffect(() => {
    document.title = `${messageWords.channels.title} · ${words.product}`;
  }, []);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="unseen">{words.loading}</p>;
  if (project === undefined) return <NotFoundView />;
  return (
    <>
      <div class="heading">
        <h1>{messageWords.channels.title}</h1>
        <Link class="soft" href="/projects">
          {project.name}
        </Link>
      </div>
      <Channels project={project} />
    </>
  );
}

function Channels({ project: { id: projectId, role } }: { project: Project }) {
  const mayChange = role !== 'viewer';
  const { fields, go } = useFields();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<MadeSecret | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['channels', projectId],
    queryFn: ({ signal }) => listChannels({ projectId }, signal),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="unseen">{words.loading}</p>;
  if (fields.channel !== undefined) {
    const channel = data.data.find(({ id }) => id === fields.channel);
    if (channel === undefined) return <Gone />;
    return <ChannelDetails key={channel.id} {...{ projectId, channel, mayChange, made, setMade }} />;
  }
  return (
    <>
      <ChannelList channels={data.data} mayChange={mayChange} add={() => setNew(true)} />
      {isNew && (
        <AddChannel
          projectId={projectId}
          onClose={() => setNew(false)}
          onDone={({ id, secret }) => {
            setNew(false);
            if (secret !== null) setMade({ channelId: id, secret });
            go({ channel: id });
          }}
        />
      )}
    </>
  );
}

/** The channel of the address was deleted. */
function Gone() {
  const { hrefWith } = useFields();
  const texts = messageWords.channels;
  return (
    <div class="card empty">
      <strong>{texts.gone}</strong>
      <Link href={hrefWith({ channel: undefined })}>{texts.all}</Link>
    </div>
  );
}

interface ChannelListProps {
  channels: readonly Channel[];
  mayChange: boolean;
  add: () => void;
}

function ChannelList({ channels, mayChange, add }: ChannelListProps) {
  const texts = messageWords.channels;
  const button = mayChange && (
    <button type="button" class="button main" onClick={add}>
      <Icon name="plus" />
      {texts.add}
    </button>
  );
  if (channels.length === 0)
    return (
      <div class="card empty">
        <strong>{texts.none}</strong>
        <p>{mayChange ? texts.noneText : texts.noneViewer}</p>
        {button}
      </div>
    );
  return (
    <>
      <p class="soft spaced">{texts.text}</p>
      <ul class="card channel-list" aria-label={texts.title}>
        {channels.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} />
        ))}
      </ul>
      {button && <p class="list-end">{button}</p>}
    </>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const texts = messageWords.channels;
  const { hrefWith } = useFields();
  const { id, kind, name, address, url, events } = channel;
  const where = address ?? url ?? '';
  return (
    <li>
      <div>
        <Link href={hrefWith({ channel: id })}>{name}</Link>
        <p class="soft small">
          {texts.kinds[kind]}
          {where !== name && <span class="address"> · {where}</span>}
        </p>
        <p class="soft small">{events.length === 0 ? texts.noEvents : events.map(nameOfEvent).join(' · ')}</p>
      </div>
      <StateMark channel={channel} />
    </li>
  );
}
