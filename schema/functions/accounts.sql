-- Deletes a project with everything in it: its sites with all that is known of them, its environments and their keys.
create or replace function delete_project(project uuid) returns void
language plpgsql as $$
begin
  perform delete_site(id) from sites where project_id = project;
  delete from projects where id = project;
end
$$;
