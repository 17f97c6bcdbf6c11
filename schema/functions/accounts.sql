-- Deletes a project with everything in it: its sites with all that is known of them, its environments and their keys.
create or replace function delete_project(project uuid) returns void
language plpgsql as $$
begin
  perform delete_site(id) from sites where project_id = project;
  delete from projects where id = project;
end
$$;

-- Waits until no other transaction has the turn of a person or a project, and keeps it until the transaction ends
-- (lib/turns.ts). The next statement sees what the others wrote.
create or replace function take_turn(kind text, id uuid) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(kind || ' ' || id, 0));
end
$$;

-- Sets a new password by the link of an identifier, uses the link up and confirms the person's address. Ends the
-- person's sessions, other links, and sign-ins that wait for a code. Returns the person, and whether it is their
-- first password; no row: no such link.
create or replace function reset_password(link text, new_password text) returns table (person uuid, is_first boolean)
language plpgsql as $$
begin
  select value::uuid into person from user_verifications where identifier = link and expires_at > now();
  -- The first link that is used ends the others. What the person's sessions grant is granted before or refused.
  if person is not null then
    perform take_turn('person', person);
  end if;
  delete from user_verifications where identifier = link;
  if not found then
    return;
  end if;
  delete from user_sessions where user_id = person;
  delete from user_verifications where value = person::text;
  update users set email_verified = true, updated_at = now() where id = person;
  update user_credentials
  set password = new_password, updated_at = now()
  where user_id = person and provider = 'credential';
  is_first := not found;
  if is_first then
    insert into user_credentials (user_id, provider, account, password)
    values (person, 'credential', person::text, new_password);
  end if;
  return next;
end
$$;

-- The projects that a key of a person opens: those that it lists, else those of the sites that it lists, else all
-- projects of the person. Null: the key has no such list.
create or replace function key_projects(person uuid, listed_projects uuid[], listed_sites uuid[]) returns setof uuid
language sql stable as $$
  select member.project_id
  from project_members member
  where member.user_id = person
    and case
      when listed_projects is not null then member.project_id = any(listed_projects)
      when listed_sites is not null then exists (
        select
        from sites
        where sites.id = any(listed_sites) and sites.project_id = member.project_id
      )
      else true
    end
$$;

-- Revokes all API keys, query tokens and open invitations of a person. Returns a row per key and project that it
-- opened, and a row per invitation.
create or replace function revoke_keys(person uuid) returns table (kind text, id uuid, project_id uuid)
language plpgsql as $$
begin
  return query
    with key as (
      update api_tokens
      set revoked_at = now()
      where api_tokens.user_id = person and api_tokens.revoked_at is null
      returning api_tokens.id, api_tokens.project_ids, api_tokens.site_ids
    ),
    token as (
      update query_tokens
      set revoked_at = now()
      where query_tokens.user_id = person and query_tokens.revoked_at is null
      returning query_tokens.id, query_tokens.project_ids, query_tokens.site_ids
    ),
    invitation as (
      delete from project_invitations using project_members member
      where member.user_id = person
        and project_invitations.project_id = member.project_id
        and project_invitations.created_by = person
      returning project_invitations.id, project_invitations.project_id
    )
    select 'api-key', key.id, opened
    from key cross join lateral key_projects(person, key.project_ids, key.site_ids) opened
    union all
    select 'query-token', token.id, opened
    from token cross join lateral key_projects(person, token.project_ids, token.site_ids) opened
    union all
    select 'invitation', invitation.id, invitation.project_id
    from invitation;
end
$$;
