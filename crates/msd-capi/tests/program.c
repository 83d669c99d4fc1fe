/* Drops a ball from C and uses every function of the interface; prints what the test compares. */
#include "msd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *SCENE =
    "format = 1\n"
    "[world]\n"
    "dt = 0.001\n"
    "duration = 1.0\n"
    "[[body]]\n"
    "name = \"floor\"\n"
    "kind = \"static\"\n"
    "shape = { plane = { normal = [0, 0, 1] } }\n"
    "[[body]]\n"
    "name = \"ball\"\n"
    "shape = { sphere = { radius = 0.1 } }\n"
    "mass = 2.0\n"
    "position = [0, 0, 10]\n";

#define REQUIRE(what)                                                                                                  \
    if (!(what)) {                                                                                                     \
        fprintf(stderr, "line %d: %s; last error: %s\n", __LINE__, #what, msd_last_error());                           \
        return 1;                                                                                                      \
    }

int main(int count, char **arguments) {
    double pose[7], velocity[6] = {3, 0, 0, 0, 0, 5}, force[3] = {0, 0, 2 * 9.81}, torque[3] = {0, 0, 0};
    msd_energy energy;
    size_t ball = 99;
    msd_world *world, *bad;
    REQUIRE(strlen(msd_version()) > 0);
    world = msd_world_from_scene("drop.toml", SCENE);
    REQUIRE(world != NULL && strlen(msd_last_error()) == 0);
    REQUIRE(msd_world_body_count(world) == 2);
    REQUIRE(strcmp(msd_world_body_name(world, 0), "floor") == 0 && msd_world_body_name(world, 2) == NULL);
    REQUIRE(msd_world_find_body(world, "ball", &ball) == 0 && ball == 1);
    REQUIRE(msd_world_dt(world) == 0.001 && msd_world_duration(world) == 1.0);

    /* Falls for a second. */
    while (msd_world_time(world) < 1.0 - 0.0005) {
        REQUIRE(msd_world_step(world, 0) == 0);
        REQUIRE(msd_world_certified(world) == 1 && strlen(msd_world_failure(world)) == 0);
    }
    REQUIRE(msd_world_pose(world, ball, pose) == 0 && msd_world_energy(world, &energy) == 0);
    REQUIRE(fabs(pose[2] - (10 - 0.5 * 9.81)) < 1e-12 && pose[3] == 1.0);
    REQUIRE(fabs(energy.kinetic - 9.81 * 9.81) < 1e-10 && fabs(energy.error) < 1e-9);
    printf("hash %s\n", msd_world_hash(world));

    /* Held against gravity by a force, it keeps the velocity that it is given. */
    REQUIRE(msd_world_set_velocity(world, ball, velocity) == 0);
    REQUIRE(msd_world_apply_wrench(world, ball, force, torque) == 0 && msd_world_step(world, 0.01) == 0);
    REQUIRE(msd_world_velocity(world, ball, velocity) == 0);
    REQUIRE(fabs(velocity[0] - 3) < 1e-12 && fabs(velocity[2]) < 1e-12 && fabs(velocity[5] - 5) < 1e-12);

    /* Refusals say why and change nothing. */
    velocity[1] = NAN;
    REQUIRE(msd_world_set_velocity(world, ball, velocity) == 1 && strstr(msd_last_error(), "ball"));
    velocity[1] = 0;
    velocity[4] = NAN;
    velocity[0] = 77;
    REQUIRE(msd_world_set_velocity(world, ball, velocity) == 1);
    REQUIRE(msd_world_velocity(world, ball, velocity) == 0 && fabs(velocity[0] - 3) < 1e-12);
    REQUIRE(msd_world_pose(world, 7, pose) == 1 && strstr(msd_last_error(), "number 7: the world has 2"));
    REQUIRE(msd_world_find_body(world, "bell", &ball) == 1 && strstr(msd_last_error(), "`bell`"));
    REQUIRE(msd_world_step(world, -1) == 1 && strlen(msd_last_error()) > 0);
    REQUIRE(msd_world_pose(NULL, 0, pose) == 1 && strstr(msd_last_error(), "NULL"));
    REQUIRE(msd_world_pose(world, 0, NULL) == 1 && strstr(msd_last_error(), "pose is NULL"));
    bad = msd_world_from_scene("bad.toml", "format = 1\n[[body]]\nname = \"ball\"\nmas = 1\n");
    REQUIRE(bad == NULL && strstr(msd_last_error(), "bad.toml:4") && strstr(msd_last_error(), "mass"));
    printf("refused: %s\n", msd_last_error());
    msd_world_free(NULL);
    msd_world_free(world);

    if (count > 1) {
        world = msd_world_from_file(arguments[1]);
        REQUIRE(world != NULL && msd_world_step(world, 0) == 0);
        printf("%s: %d bodies\n", arguments[1], (int)msd_world_body_count(world));
        msd_world_free(world);
    }
    return 0;
}
