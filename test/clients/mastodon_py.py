"""Calls the methods of Mastodon.py as a program of its users would, and prints what it was not answered rightly.

Started by python.test.ts with the address of a server and the tokens of alice and bob, who are strangers.
"""
import os
import sys
import time
import traceback
from datetime import datetime, timedelta

from mastodon import Mastodon, StreamListener

address, alice_token, bob_token = sys.argv[1:]
alice = Mastodon(access_token=alice_token, api_base_url=address, ratelimit_method="throw")
bob = Mastodon(access_token=bob_token, api_base_url=address, ratelimit_method="throw")


def check(what, right):
    if not right:
        print(f"{what} is wrong")


def instance():
    check("the version", alice.verify_minimum_version("4.0.0"))
    check("the address", alice.instance().uri == address.split("//")[1])
    check("the statistics of weeks", isinstance(alice.instance_activity()[0].week, datetime))
    check("the health", alice.instance_health() and alice.stream_healthy())
    check("NodeInfo", alice.instance_nodeinfo().software.name == "murmuration")
    check("the time", isinstance(alice.get_approx_server_time(), datetime))
    for read in (alice.instance_peers, alice.instance_rules, alice.announcements, alice.custom_emojis, alice.trends):
        check(read.__name__, isinstance(read(), list))


def applications():
    client_id, client_secret = Mastodon.create_app("bot", api_base_url=address, website="https://bot.example")
    app = Mastodon(client_id=client_id, client_secret=client_secret, api_base_url=address)
    check("a new account", app.create_account("carol", "a long password", "carol@users.example", agreement=True))
    check("the name of the application", alice.app_verify_credentials().name)
    app.revoke_access_token()


def profiles():
    changed = alice.account_update_credentials(display_name="Alice", note="#intro", locked=False, fields=[("a", "b")])
    check("the profile", (changed.display_name, changed.source.note, changed.fields[0].name) == ("Alice", "#intro", "a"))
    check("the day of the account", isinstance(changed.created_at, datetime))
    check("a look-up", bob.account_lookup("alice").id == alice.me().id)
    check("a search", alice.account_search("bob")[0].acct == "bob")
    check("preferences", alice.preferences()["posting:default:visibility"] == "public")


def relationships():
    followed = alice.account_follow(bob.me().id, notify=True)
    check("following", followed.following is True and followed.notifying is True)
    check("two relationships", len(alice.account_relationships([bob.me().id, alice.me().id])) == 2)
    check("lists of accounts", alice.account_following(alice.me().id)[0].acct == "bob")
    # By GET, with a body of JSON and ids that are numbers.
    check("familiar followers", bob.account_familiar_followers([alice.me().id])[0].id == alice.me().id)
    check("a note", alice.account_note_set(bob.me().id, "a friend").note == "a friend")
    check("an endorsement", alice.account_pin(bob.me().id).endorsed and alice.endorsements()[0].acct == "bob")
    check("a mute", bob.account_mute(alice.me().id, duration=60).muting and bob.mutes()[0].acct == "alice")
    check("no mute", not bob.account_unmute(alice.me().id).muting)
    bob.domain_block("bad.example")
    check("a domain", bob.domain_blocks() == ["bad.example"])


def requests():
    bob.account_update_credentials(locked=True)
    check("a request", alice.account_unfollow(bob.me().id) and alice.account_follow(bob.me().id).requested)
    check("the requester", bob.follow_requests()[0].acct == "alice")
    check("letting in", bob.follow_request_authorize(alice.me().id).followed_by)


def statuses():
    status = bob.status_post("hello @alice #intro", spoiler_text="cw", language="en", idempotency_key="once")
    check("the same key", bob.status_post("hello @alice #intro", idempotency_key="once").id == status.id)
    answer = alice.status_reply(status, "an answer")
    check("a thread", alice.status_context(status.id).descendants[0].id == answer.id)
    check("a favourite", alice.status_favourite(status.id).favourited and alice.favourites()[0].id == status.id)
    check("who favourites", alice.status_favourited_by(status.id)[0].acct == "alice")
    check("a boost", alice.status_reblog(status.id, visibility="unlisted").reblog.id == status.id)
    check("a bookmark", alice.status_bookmark(status.id).bookmarked and alice.bookmarks()[0].id == status.id)
    check("a pin", bob.status_pin(status.id).pinned)
    check("what is pinned", alice.account_statuses(bob.me().id, pinned=True)[0].id == status.id)
    check("an edit", isinstance(bob.status_update(status.id, status="changed", spoiler_text="").edited_at, datetime))
    check("the versions", len(alice.status_history(status.id)) == 2)
    check("a deletion", alice.status_delete(answer.id).text == "@bob an answer")


def polls_and_plans():
    poll = bob.status_post("which?", poll=bob.make_poll(["a", "b", "c"], 3600, multiple=True, hide_totals=True)).poll
    alice.poll_vote(poll.id, [0, 2])
    check("a vote", alice.poll(poll.id).own_votes == [0, 2] and poll.options[0].votes_count is None)
    planned = alice.status_post("later", scheduled_at=datetime.now() + timedelta(hours=1))
    moved = alice.scheduled_status_update(planned.id, datetime.now() + timedelta(hours=2))
    check("a plan", moved.scheduled_at > planned.scheduled_at and len(alice.scheduled_statuses()) == 1)
    alice.scheduled_status_delete(planned.id)


def timelines():
    for number in range(3):
        bob.status_post(f"number {number} #intro")
    for read in (alice.timeline_home, alice.timeline_local, alice.timeline_public):
        check(read.__name__, len(read()) > 2)
    first = alice.timeline_hashtag("intro", limit=2)
    check("the next page", alice.fetch_next(first)[0].id < first[-1].id)
    check("the page before", [one.id for one in alice.fetch_previous(alice.fetch_next(first))] == [one.id for one in first])
    check("all pages", len(alice.fetch_remaining(first)) == len(alice.timeline_hashtag("intro")))
    # A page of which nothing is shown.
    check("an empty page", alice.timeline_public(only_media=True) == [] and alice.notifications(types=["poll"]) == [])


def conversations_and_notifications():
    secret = bob.status_post("@alice a secret", visibility="direct")
    conversation = alice.conversations()[0]
    check("a conversation", conversation.unread and conversation.last_status.id == secret.id)
    check("it is read", not alice.conversations_read(conversation.id).unread)
    newest = alice.notifications(mentions_only=True)[0]
    check("a notification", newest.status.id == secret.id and alice.notifications(newest.id).type == "mention")
    # Ids are numbers here, longer than those that JavaScript tells apart.
    alice.markers_set(["home", "notifications"], [secret.id, newest.id])
    markers = alice.markers_get(["home", "notifications"])
    check("the markers", str(markers.home.last_read_id) == str(secret.id))
    alice.notifications_dismiss(newest.id)
    alice.notifications_clear()
    check("nothing", alice.notifications() == [])


def filters_and_lists():
    rule = alice.filter_create("word", ["home", "notifications"], whole_word=True, expires_in=3600)
    check("a filter", alice.filter_update(rule.id, phrase="words", context=["home"]).phrase == "words")
    check("filters", len(alice.filters()) == 1 and isinstance(rule.expires_at, datetime))
    alice.filter_delete(rule.id)
    friends = alice.list_create("friends")
    alice.list_accounts_add(friends.id, [bob.me().id])
    check("a list", alice.list_accounts(friends.id)[0].acct == "bob" and alice.account_lists(bob.me().id))
    check("its timeline", isinstance(alice.timeline_list(friends.id), list))
    alice.list_delete(friends.id)
    tag = alice.featured_tag_create("intro")
    check("a featured tag", bob.account_featured_tags(alice.me().id)[0].name == tag.name)


def searches():
    found = alice.search("#intro", result_type="hashtags")
    check("a hashtag", found.hashtags[0].name == "intro" and isinstance(found.hashtags[0].history[0].day, datetime))
    status = bob.status_post("found")
    check("an address", alice.search(status.url).statuses[0].id == status.id)
    check("the directory", isinstance(alice.directory(local=True), list) and isinstance(alice.suggestions(), list))
    check("a report", alice.report(bob.me().id, [status.id], "rude", category="spam").id)


def push():
    _, keys = alice.push_subscription_generate_keys()
    check("a subscription", alice.push_subscription_set("https://push.example/1", keys, mention_events=True).alerts.mention)
    check("its change", not alice.push_subscription_update(mention_events=False).alerts.mention)
    alice.push_subscription_delete()


class Listener(StreamListener):
    def __init__(self):
        self.heard = []
        for name in ("update", "status_update", "delete", "notification", "conversation"):
            setattr(self, f"on_{name}", lambda _payload, name=name: self.heard.append(name))

    def on_filters_changed(self):
        self.heard.append("filters_changed")

    def on_abort(self, err):
        print(f"a stream ended: {err!r}")


def streams():
    home, public, direct = Listener(), Listener(), Listener()
    alice.stream_user(home, run_async=True)
    alice.stream_public(public, run_async=True)
    alice.stream_direct(direct, run_async=True)
    status = bob.status_post("live, @alice")
    bob.status_update(status.id, status="changed, @alice")
    bob.status_delete(status.id)
    alice.filter_create("word", ["home"])
    bob.status_post("@alice psst", visibility="direct")
    wanted = [
        (home, {"update", "status_update", "delete", "notification", "filters_changed"}),
        (public, {"update", "status_update", "delete"}),
        (direct, {"conversation"}),
    ]
    deadline = time.monotonic() + 60
    while any(not names <= set(listener.heard) for listener, names in wanted) and time.monotonic() < deadline:
        time.sleep(0.01)
    for listener, names in wanted:
        check(f"a stream: {names - set(listener.heard)}", names <= set(listener.heard))


areas = (instance, applications, profiles, relationships, requests, statuses, polls_and_plans, timelines)
areas += (conversations_and_notifications, filters_and_lists, searches, push, streams)
for area in areas:
    try:
        area()
    except Exception:
        print(f"{area.__name__}: {traceback.format_exc()}")
sys.stdout.flush()
# Closing a stream waits for its next heartbeat.
os._exit(0)
